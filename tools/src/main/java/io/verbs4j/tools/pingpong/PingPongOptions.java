// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.common.CNumber;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that all ping-pong programs share, with the names and defaults of libibverbs.
public final class PingPongOptions extends ExchangeOptions {
    /// Default size of a message that may be longer than a packet.
    static final int LONG_MESSAGE = 4096;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "<bytes>",
            converter = CNumber.Positive.class,
            description = "Size of a message in bytes (default: ${DEFAULT-VALUE}).") private int size;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "<n>",
            defaultValue = "500",
            converter = CNumber.Positive.class,
            description = "Receive queue depth (default: ${DEFAULT-VALUE}).") private int receiveDepth;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "<n>",
            defaultValue = "1000",
            converter = CNumber.Positive.class,
            description = "Exchanges (default: ${DEFAULT-VALUE}).") private int iterations;

    @Option(
            names = "--warm-up",
            paramLabel = "<n>",
            defaultValue = "0",
            converter = CNumber.NotNegative.class,
            description = "Exchanges for warm-up, which are not measured; both ends need it, and the C program lacks"
                    + " it (default: ${DEFAULT-VALUE}).") private int warmUp;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "<level>",
            defaultValue = "0",
            converter = ServiceLevel.class,
            description = "Service level, 0 to 15 (default: ${DEFAULT-VALUE}).") private int serviceLevel;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until an event reports completions (default: poll for them).") private boolean events;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "<index>",
            converter = GidIndex.class,
            description = "Index of the local GID in the port's table ('verbs devinfo -v' shows the table). By default"
                    + " the best one is chosen, preferably RoCE v2 with an IPv4 address, and stderr names it. The C"
                    + " program sends no GID by default, which cannot work on RoCE, so give it -g.") private @Nullable Integer gidIndex;

    @Option(
            names = {"-c", "--chk"},
            description = "Validate the received data; both ends need it.") private boolean check;

    @Option(
            names = {"-R", "--rdma_cm"},
            description = "Let the connection manager connect the queue pairs, by the server's address; both ends need"
                    + " it, and the C program lacks it. The connection manager then chooses GID, port, service level"
                    + " and path MTU instead of -g, -i, -l and -m.") private boolean byAddress;

    @Parameters(
            arity = "0..1",
            paramLabel = "<host>",
            description = "The server's name or address. Without it this is the server.") private @Nullable String host;

    /// @param size the default message size
    PingPongOptions(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    int receiveDepth() {
        return receiveDepth;
    }

    int iterations() {
        return iterations;
    }

    /// Returns the number of exchanges before the measurement.
    int warmUp() {
        return warmUp;
    }

    int serviceLevel() {
        return serviceLevel;
    }

    boolean events() {
        return events;
    }

    /// Returns the selected GID index; null if verbs4j chooses, also for a negative index, which is C's default.
    @Nullable
    Integer gidIndex() {
        return gidIndex == null || gidIndex < 0 ? null : gidIndex;
    }

    /// Returns whether the connection manager connects the queue pairs.
    boolean byAddress() {
        return byAddress;
    }

    boolean check() {
        return check;
    }

    /// Returns the server's name; null if this is the server.
    @Nullable
    String host() {
        return host;
    }

    /// A TCP port.
    public static final class TcpPort extends CNumber {
        /// Called by picocli.
        public TcpPort() {
            super(1, 65_535);
        }
    }

    static final class ServiceLevel extends CNumber {
        ServiceLevel() {
            super(0, 15);
        }
    }

    static final class GidIndex extends CNumber {
        GidIndex() {
            super(-1, 255);
        }
    }
}

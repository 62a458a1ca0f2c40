// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.common.CNumber;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The options of ping-pong programs and of `perf` for the TCP port, where both ends exchange their addresses, and for
/// the local device.
@Command // so that picocli finds the options
public class ExchangeOptions {
    @Option(
            names = {"-p", "--port"},
            paramLabel = "<port>",
            defaultValue = "${sys:verbs4j.tools.port:-18515}",
            converter = PingPongOptions.TcpPort.class,
            description = "TCP port to listen on or connect to (default: ${DEFAULT-VALUE}).") private int port;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "<device>",
            description = "RDMA device (default: the first one).") private @Nullable String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "<port>",
            defaultValue = "1",
            converter = CNumber.DevicePort.class,
            description = "Port of the device (default: ${DEFAULT-VALUE}).") private int devicePort;

    /// Returns the TCP port.
    public final int port() {
        return port;
    }

    /// Returns the device's name; null for the first device.
    public final @Nullable String device() {
        return device;
    }

    /// Returns the number of the device's port.
    public final int devicePort() {
        return devicePort;
    }
}

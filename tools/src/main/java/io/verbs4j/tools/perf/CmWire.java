// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pairs.CmPairs;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Carries perftest's messages over a separate connection of the connection manager (option `-R`).
final class CmWire implements PerfWire {
    private static final Duration UNLIMITED = Duration.ofDays(365);
    private static final int MESSAGES = 8;
    private static final int MESSAGE_BYTES = 256;

    private final RdmaConnection connection;

    private CmWire(RdmaConnection connection) {
        this.connection = connection;
    }

    /// Connects to the server on a host. Without a host, waits for a client.
    ///
    /// @param timeoutMillis timeout for establishing the connection
    static CmWire open(@Nullable String host, int port, int timeoutMillis) throws IOException {
        ConnectionOptions options = ConnectionOptions.defaults()
                .withTimeout(Duration.ofMillis(timeoutMillis))
                .withReadAtomic(0)
                .withPlainMessages(MESSAGES, MESSAGE_BYTES);
        try {
            return new CmWire(host == null ? accept(port, options) : connect(host, port, options));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static RdmaConnection accept(int port, ConnectionOptions options) throws InterruptedException {
        try (RdmaServer server = CmPairs.anyAddress(port, address -> RdmaServer.listen(address, options))) {
            Listening.begins();
            return server.accept();
        }
    }

    private static RdmaConnection connect(String host, int port, ConnectionOptions options)
            throws InterruptedException {
        return RdmaConnection.connect(Hosts.resolve(host, port), options);
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted");
    }

    private static Duration limit(int timeout) {
        return timeout == 0 ? UNLIMITED : Duration.ofMillis(timeout);
    }

    @Override
    public void write(byte[] message, int timeout) throws IOException {
        try {
            connection.messages().send(message, limit(timeout));
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (VerbsException e) {
            throw ended(e);
        }
    }

    @Override
    public void read(ByteBuffer message, int timeout) throws IOException {
        try {
            byte[] received = connection.messages()
                    .receive(limit(timeout))
                    .orElseThrow(() -> new SocketTimeoutException("the peer is silent"));
            if (received.length != message.remaining()) {
                throw new ToolException(
                        "the peer sent " + received.length + " bytes instead of " + message.remaining(),
                        "check that both ends run the same test");
            }
            message.put(received);
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (VerbsException e) {
            throw ended(e);
        }
    }

    private static IOException ended(VerbsException e) {
        return e.errno() == Errno.ECONNRESET ? new EOFException(e.getMessage()) : new IOException(e.getMessage(), e);
    }

    @Override
    public boolean hasStructs() {
        return true;
    }

    @Override
    public void close() {
        connection.close();
    }
}

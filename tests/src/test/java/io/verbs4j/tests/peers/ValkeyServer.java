// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.valkey.ValkeyConnection;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/// A `valkey-server` that listens on an RDMA device, and on nothing else.
final class ValkeyServer implements AutoCloseable {
    static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 6379);

    private static final int ATTEMPTS = 300;
    private static final long PAUSE_MILLIS = 200;

    private final ExternalProcess.Running process;

    private ValkeyServer(ExternalProcess.Running process) {
        this.process = process;
    }

    /// Starts a server without data, and waits until it accepts connections.
    static ValkeyServer start(Path folder) throws InterruptedException {
        Path files = Repository.file("target/lab/valkey");
        assertThat(files.resolve("valkey-server"))
                .as("tools/lab test --all and tools/lab test --tests ValkeyServerIT build it")
                .exists();
        var server = new ValkeyServer(ExternalProcess.of(
                files.resolve("valkey-server").toString(),
                "--port",
                "0",
                "--save",
                "",
                "--dir",
                folder.toString(),
                "--protected-mode",
                "no",
                "--loadmodule",
                files.resolve("valkey-rdma.so").toString(),
                "--rdma-bind",
                ADDRESS.getHostString(),
                "--rdma-port",
                Integer.toString(ADDRESS.getPort())).start());
        try {
            server.awaitListener();
            return server;
        } catch (InterruptedException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void awaitListener() throws InterruptedException {
        for (int attempt = 1; true; attempt++) {
            try {
                ValkeyConnection.connect(ADDRESS).close();
                return;
            } catch (ConnectionRejectedException e) {
                if (attempt == ATTEMPTS) {
                    throw new AssertionError("the server does not listen; it printed\n" + process.output(), e);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /// Ends it at once.
    void kill() {
        process.signal("KILL");
    }

    /// Stops the server, or lets it continue.
    ///
    /// @param name `STOP` or `CONT`
    void signal(String name) {
        process.signal(name);
    }

    @Override
    public void close() {
        process.close();
    }
}

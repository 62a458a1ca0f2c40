// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// librdmacm's example programs with Java as their peer. `rdma_client` and `rdma_server` exchange 16 bytes in each
/// direction. `rdma_xclient` sends them to `rdma_xserver`, which has a shared receive queue. Their XRC form (`-c x`)
/// has no peer in Java, because rxe does not support XRC: C's client ends with `EOPNOTSUPP`.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class ExampleProgramsIT {
    private static final int BYTES = 16;
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Steps.LONG).withQueues(4, 4).withPlainMessages(2, BYTES);

    private static ExternalProcess program(String program, InetSocketAddress address, String... more) {
        var command = new ArrayList<>(List.of(program, "-p", Integer.toString(address.getPort())));
        command.addAll(List.of(more));
        return ExternalProcess.of(command);
    }

    /// Until the server listens.
    private static RdmaConnection connect(InetSocketAddress address) throws Exception {
        long deadline = System.nanoTime() + Steps.LONG.toNanos();
        while (true) {
            try {
                return RdmaConnection.connect(address, OPTIONS);
            } catch (ConnectionRejectedException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"rdma_client,", "rdma_xclient,r"})
    void clientInC(String name, @Nullable String type) throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var accepting = server.acceptAsync();
            String[] options = type == null
                    ? new String[]{"-s", address.getHostString()}
                    : new String[]{"-s", address.getHostString(), "-c", type};
            try (
                    var client = program(name, address, options).start();
                    var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                assertThat(accepted.messages().receive(Steps.LONG).orElseThrow()).hasSize(BYTES);
                if (type == null) {
                    accepted.messages().send(new byte[BYTES], Steps.LONG);
                }
                assertThat(client.await(Steps.LONG).requireSuccess().output()).contains("end 0");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"rdma_server,", "rdma_xserver,r"})
    void serverInC(String name, @Nullable String type) throws Exception {
        InetSocketAddress address = CmAddress.right();
        String[] options = type == null ? new String[0] : new String[]{"-c", type};
        try (var server = program(name, address, options).start()) {
            try (RdmaConnection client = connect(address)) {
                client.messages().send(new byte[BYTES], Steps.LONG);
                if (type == null) {
                    assertThat(client.messages().receive(Steps.LONG).orElseThrow()).hasSize(BYTES);
                }
            }
            assertThat(server.await(Steps.LONG).requireSuccess().output()).contains("end 0");
        }
    }
}

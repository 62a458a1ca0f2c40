// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The programs of librdmacm that are made of `rdma_create_ep(3)`: a message of 16 bytes to the server, and, from those without an x in
/// their name, one back.
@DeviceTest
class EndpointProgramsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BYTES = 16;
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(LIMIT).withMessages(1, BYTES);

    private static String[] command(String program, InetSocketAddress address, boolean client, boolean choice) {
        String text = program + (client ? " -s " + address.getHostString() : "") + " -p " + address.getPort()
                + (choice ? " -c r" : "");
        return text.split(" ");
    }

    @ParameterizedTest(name = "{0} to a server in Java")
    @CsvSource({"rdma_client, false", "rdma_xclient, true"})
    void aClientInCMeetsJava(String program, boolean choice) throws Exception {
        try (RdmaServer server = RdmaServer.listen(CmAddress.right(), OPTIONS)) {
            var serving = new FutureTask<>(() -> {
                try (RdmaConnection connection = server.accept()) {
                    byte[] message = connection.messages().receive(LIMIT).orElseThrow();
                    if (!choice) {
                        connection.messages().send(message, LIMIT);
                    }
                    connection.disconnected().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    return message.length;
                }
            });
            Thread.ofVirtual().start(serving);
            var result = ExternalProcess.of(command(program, server.localAddress(), true, choice)).run(LIMIT);
            assertThat(result.requireSuccess().output()).isEqualTo(program + ": start\n" + program + ": end 0\n");
            assertThat(serving.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(BYTES);
        }
    }

    @ParameterizedTest(name = "Java to {0}")
    @CsvSource({"rdma_server, false", "rdma_xserver, true"})
    void aServerInCMeetsJava(String program, boolean choice) throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = CmPrograms.cServer(command(program, address, false, choice))) {
            CmPrograms.awaitListener(Integer.toString(address.getPort()));
            try (RdmaConnection connection = RdmaConnection.connect(address, OPTIONS)) {
                connection.messages().send(new byte[BYTES], LIMIT);
                if (!choice) {
                    assertThat(connection.messages().receive(LIMIT).orElseThrow()).hasSize(BYTES);
                }
                connection.disconnected().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(CmPrograms.output(server)).isEqualTo(program + ": start\n" + program + ": end 0\n");
        }
    }
}

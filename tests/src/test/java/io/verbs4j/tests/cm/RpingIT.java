// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ToolRun;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// `rping` between Java and C: either end, the same data.
@DeviceTest
class RpingIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 50;

    /// Where the server listens.
    InetSocketAddress address() {
        return CmAddress.right();
    }

    private static String[] arguments(String side, InetSocketAddress address) {
        return new String[]{
                side, "-a", address.getHostString(), "-p", Integer.toString(address.getPort()), "-C", "5", "-S", "200",
                "-v"
        };
    }

    private static String[] with(String program, String... arguments) {
        var all = new String[arguments.length + 1];
        all[0] = program;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    private static void assertServed(String output) {
        for (int i = 0; i < 5; i++) {
            assertThat(output).contains("server ping data: rdma-ping-" + i + ": ");
        }
    }

    private static void assertPinged(String output) {
        for (int i = 0; i < 5; i++) {
            assertThat(output).contains("ping data: rdma-ping-" + i + ": ");
        }
    }

    /// Until the server listens.
    private static ToolRun javaClient(InetSocketAddress address) throws InterruptedException {
        ToolRun run = ToolRun.of(with("rping", arguments("-c", address)));
        for (int i = 0; i < ATTEMPTS && run.error().contains("nobody listens"); i++) {
            Thread.sleep(100);
            run = ToolRun.of(with("rping", arguments("-c", address)));
        }
        return run.requireSuccess();
    }

    @Test
    void serverInCAndClientInJava() throws Exception {
        InetSocketAddress address = address();
        try (var server = ExternalProcess.of(with("rping", arguments("-s", address))).start()) {
            assertPinged(javaClient(address).output());
            assertServed(server.await(LIMIT).output());
        }
    }

    @Test
    void serverInJavaAndClientInC() throws Exception {
        InetSocketAddress address = address();
        var server = CompletableFuture.supplyAsync(() -> ToolRun.of(with("rping", arguments("-s", address))));
        ExternalProcess.Result client = ExternalProcess.of(with("rping", arguments("-c", address))).run(LIMIT);
        for (int i = 0; i < ATTEMPTS && client.exitCode() != 0; i++) {
            client = ExternalProcess.of(with("rping", arguments("-c", address))).run(LIMIT);
        }
        assertPinged(client.output());
        assertServed(server.get(60, TimeUnit.SECONDS).requireSuccess().output());
    }

    @Test
    void bothInJavaOverManySizes() throws Exception {
        for (String bytes : new String[]{"32", "4096", "65536"}) {
            InetSocketAddress address = address();
            String port = Integer.toString(address.getPort());
            var server = CompletableFuture.supplyAsync(
                    () -> ToolRun.of("rping", "-s", "-a", address.getHostString(), "-p", port, "-S", bytes));
            ToolRun client = null;
            for (int i = 0; i < ATTEMPTS && (client == null || client.error().contains("nobody listens")); i++) {
                Thread.sleep(100);
                client = ToolRun.of("rping", "-c", "-a", address.getHostString(), "-p", port, "-S", bytes, "-C", "3", "-V");
            }
            assertThat(client).isNotNull();
            client.requireSuccess();
            server.get(60, TimeUnit.SECONDS).requireSuccess();
        }
    }
}

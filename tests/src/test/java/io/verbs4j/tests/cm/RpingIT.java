// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// `rping` between Java and C: either end, the same data.
@DeviceTest
@RealKernel("programs in C")
class RpingIT {
    /// Address at which the server listens.
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

    @Test
    void serverInCAndClientInJava() throws Exception {
        InetSocketAddress address = address();
        try (var server = CmPrograms.cServer(with("rping", arguments("-s", address)))) {
            assertPinged(CmPrograms.javaClient(with("rping", arguments("-c", address))).output());
            assertServed(CmPrograms.output(server));
        }
    }

    @Test
    void serverInJavaAndClientInC() throws Exception {
        InetSocketAddress address = address();
        var server = CmPrograms.javaServer(with("rping", arguments("-s", address)));
        assertPinged(CmPrograms.cClient(with("rping", arguments("-c", address))));
        assertServed(CmPrograms.output(server));
    }

    @Test
    void bothInJavaOverManySizes() throws Exception {
        for (String bytes : new String[]{"32", "4096", "65536"}) {
            InetSocketAddress address = address();
            String port = Integer.toString(address.getPort());
            var server = CmPrograms.javaServer(
                    "rping", "-s", "-a", address.getHostString(), "-p", port, "-S", bytes);
            CmPrograms.javaClient(
                    "rping", "-c", "-a", address.getHostString(), "-p", port, "-S", bytes, "-C", "3", "-V");
            CmPrograms.output(server);
        }
    }
}

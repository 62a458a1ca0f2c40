// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// `rping` between Java and C: either end, the same data.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
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

    /// The client of exchange `i` sends the letters from `A` + `i` on, and shows what comes back.
    private static List<String> pings(String before, int count, int bytes) {
        return IntStream.range(0, count).mapToObj(i -> {
            String head = "rdma-ping-" + i + ": ";
            return before + head
                    + IntStream.range(0, bytes - 1 - head.length())
                            .mapToObj(at -> Character.toString('A' + (i + at) % ('z' - 'A' + 1)))
                            .collect(Collectors.joining());
        }).toList();
    }

    private static void assertServed(String output) {
        assertThat(output.lines()).containsAll(pings("server ping data: ", 5, 200));
    }

    private static void assertPinged(String output) {
        assertThat(output.lines()).containsAll(pings("ping data: ", 5, 200));
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
                    "rping", "-s", "-a", address.getHostString(), "-p", port, "-S", bytes, "-v");
            var client = CmPrograms.javaClient(
                    "rping", "-c", "-a", address.getHostString(), "-p", port, "-S", bytes, "-C", "3", "-V", "-v");
            int size = Integer.parseInt(bytes);
            assertThat(client.lines()).isEqualTo(pings("ping data: ", 3, size));
            assertThat(CmPrograms.output(server).lines())
                    .containsExactlyElementsOf(pings("server ping data: ", 3, size));
        }
    }
}

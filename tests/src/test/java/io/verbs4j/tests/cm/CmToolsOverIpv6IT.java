// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests librdmacm's programs over IPv6, with Java at one end and C at the other. C's `mckey` cannot join IPv6 groups
/// over RoCE, and perftest's `-R` does not support IPv6 addresses.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class CmToolsOverIpv6IT {
    private final InetSocketAddress address = Family.IPV6.server();
    private final String port = Integer.toString(address.getPort());

    /// udaddy has one port, and `-p` is its port space.
    private String[] command(String program, boolean server) {
        String host = (server ? address : Family.IPV6.asSeenByClients(address)).getAddress().getHostAddress();
        var all = new ArrayList<>(List.of(program));
        all.addAll(switch (program) {
            case "rping" -> List.of(server ? "-s" : "-c", "-a", host, "-C", "2", "-S", "200", "-v", "-p", port);
            case "udaddy" -> List.of(server ? "-b" : "-s", host, "-C", "2", "-S", "200");
            default -> List.of(server ? "-b" : "-s", host, "-C", "2", "-S", "200", "-p", port);
        });
        return all.toArray(String[]::new);
    }

    private void awaitListener(String program) throws InterruptedException {
        CmPrograms.awaitListener(program.equals("udaddy") ? "7174" : port);
    }

    private static void assertTalked(String program, String server, String client) {
        if (program.equals("rping")) {
            assertThat(Stream.of(server, client)).allSatisfy(
                    output -> assertThat(output).contains("ping data: rdma-ping-0: ", "ping data: rdma-ping-1: "));
        } else {
            assertThat(Stream.of(server, client)).allSatisfy(
                    output -> assertThat(output)
                            .endsWith("data transfers complete\n" + (output.contains("disconnecting")
                                    ? "cmatose: disconnecting\ndisconnected\n"
                                    : "") + "test complete\nreturn status 0\n"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rping", "ucmatose", "udaddy"})
    @Needs.LongRun("three pairs of programs")
    void javaCallsC(String program) throws Exception {
        try (var server = CmPrograms.cServer(command(program, true))) {
            awaitListener(program);
            String client = CmPrograms.javaClient(command(program, false)).output();
            assertTalked(program, CmPrograms.output(server), client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rping", "ucmatose", "udaddy"})
    void cCallsJava(String program) throws Exception {
        var server = CmPrograms.javaServer(command(program, true));
        awaitListener(program);
        String client = CmPrograms.cClient(command(program, false));
        assertTalked(program, CmPrograms.output(server), client);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ToolRun;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The ping-pongs with `-R`, at both ends in Java, since the programs in C have none: their whole output.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class PingPongByAddressIT {
    private static final String END = "  %s address: +%s port %s%s\n";

    static Stream<Arguments> exchanges() {
        return Stream.of(Family.values())
                .flatMap(family -> Stream.of(
                        "rc-pingpong -s 5000", "rc-pingpong -s 100 -e", "srq-pingpong -q 3 -s 4096",
                        "ud-pingpong -s 1000", "ud-pingpong -s 1 -e")
                        .map(command -> Arguments.of(family, command)));
    }

    private static String[] command(String command, String port, String... more) {
        var all = new ArrayList<>(List.of(command.split(" ")));
        all.addAll(List.of("-R", "-c", "-n", "50", "-p", port));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static String report(int pairs, String local, String remote, String size) {
        String bytes = Integer.toString(2 * 50 * Integer.parseInt(size));
        return "(" + local + remote + "){" + pairs + "}" + bytes
                + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec\n"
                + "50 iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter\n";
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("exchanges")
    void exchangeEveryMessage(Family family, String program) throws Exception {
        InetSocketAddress address = family.server();
        String port = Integer.toString(address.getPort());
        String seen = family.asSeenByClients(address).getAddress().getHostAddress();

        var server = CmPrograms.javaServer(command(program, port));
        String client = ToolRun.of(command(program, port, seen)).requireSuccess().output();

        int pairs = program.startsWith("srq") ? 3 : 1;
        String size = program.replaceFirst(".*-s (\\d+).*", "$1");
        String any = "[0-9a-f.:]+(%\\w+)?";
        String number = ", QPN 0x[0-9a-f]{6}";
        assertThat(client).matches(report(
                pairs, END.formatted("local", any, "\\d+", number), END.formatted("remote", any, port, ""), size));
        assertThat(CmPrograms.output(server)).matches(report(
                pairs, END.formatted("local", any, port, number), END.formatted("remote", any, "\\d+", ""), size));
    }

    @Test
    void knowNoUnreliableConnections() {
        ToolRun run = ToolRun.of("uc-pingpong", "-R", "10.9.0.2");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.error()).isEqualTo(
                "verbs uc-pingpong: -R does not support UC: the connection manager has port spaces only for reliable connections and"
                        + " datagrams; use rc-pingpong -R or ud-pingpong -R\n");
    }

    @Test
    void takeNoOtherDeviceThanTheOneThatLeadsToThePeer() {
        ToolRun run = ToolRun.of("rc-pingpong", "-R", "-d", "rxe0", "10.9.0.2");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.error()).isEqualTo(
                "verbs rc-pingpong: the route to the peer uses rxe1, not rxe0; omit -d, because -R determines the device, or"
                        + " use another address\n");
    }
}

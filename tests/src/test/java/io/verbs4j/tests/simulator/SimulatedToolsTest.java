// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tools.Main;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs commands as processes on simulated devices, and compares their complete output, except for numbers that vary.
class SimulatedToolsTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static List<String> command(String arguments, String... options) {
        var command = new ArrayList<>(JavaProcess.command(Main.class));
        command.addAll(1, List.of(options));
        command.addAll(List.of(("--simulate 2 " + arguments).split(" ")));
        return command;
    }

    private static ExternalProcess.Result run(String arguments) {
        return ExternalProcess.of(command(arguments)).run(LIMIT);
    }

    /// Returns the lines of one command after the other, as they run at the same time.
    private static String partsOf(String arguments) {
        return run(arguments).requireSuccess()
                .output()
                .lines()
                .sorted((one, other) -> Character.compare(one.charAt(0), other.charAt(0)))
                .map(SimulatedToolsTest::withoutNumbers)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String withoutNumbers(String line) {
        return line.replaceAll("0x[0-9a-f]+", "0x…")
                .replaceAll("pid \\d+", "pid …")
                .replaceAll(" *\\d+\\.\\d{2}(?!\\d|\\.)", " …");
    }

    @Test
    void showTheDevices() {
        assertThat(partsOf("together devices --and gids -d rxe1 --and link list --and resources --and counters -z"))
                .isEqualTo("""
                    1|     device          \t   node GUID      uverbs     provider   interface        ports
                    1|     ------          \t----------------  ------     --------   ---------        -----
                    1|     rxe0            \t000000fffe000001  uverbs0    rxe        veth0            1:ACTIVE
                    1|     rxe1            \t000000fffe000002  uverbs1    rxe        veth1            1:ACTIVE
                    2| device  port  index  GID                                      type     netdev  address
                    2| rxe1    1     0      fe80:0000:0000:0000:0000:00ff:fe00:0002  ROCE_V2  veth1   fe80::ff:fe00:2
                    2| rxe1    1     1 *    0000:0000:0000:0000:0000:ffff:0a09:0002  ROCE_V2  veth1   10.9.0.2
                    2|
                    2| * rxe1 port 1: the best GID there: ROCE_V2, IPv4, index 1
                    3| device  port  protocol  state   physical state  netdev
                    3| rxe0    1     roce      ACTIVE  LINK_UP         veth0
                    3| rxe1    1     roce      ACTIVE  LINK_UP         veth1
                    4| device  kind  number  owner  details
                    5| port  counter  value
                    """);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "rc-pingpong -d rxe1",
            "rc-pingpong -d rxe0 localhost",
            "perf send-lat -d rxe1",
            "perf send-lat -d rxe0 localhost",
            "rping -s -a 10.9.0.2",
            "rping -c -a 10.9.0.2 -C 1"})
    void explainThatAPeerHasToRunInTheSameProcess(String command) {
        ExternalProcess.Result result = run(command);
        assertThat(result.exitCode()).as(result::toString).isOne();
        assertThat(result.output())
                .contains("a simulated network lives in one process", "together COMMAND --and COMMAND");
    }

    @Test
    void findNothingWrong() {
        assertThat(run("doctor --peer 10.9.0.2").requireSuccess().output()).isEqualTo("""
            ok       machine: simulated devices of this process; the system is not checked
            ok       rxe0: /dev/infiniband/uverbs0 opens
            ok       rxe0/1: the port is ACTIVE
            note     rxe0/1: the active MTU is 1024 bytes: large messages would need fewer packets with 4096
                       ip link set veth0 mtu 4200, if the whole network supports such packets
            ok       rxe0/1: 2 GIDs, each with its address
            ok       rxe0/1: a message arrives between two queue pairs
            ok       rxe1: /dev/infiniband/uverbs1 opens
            ok       rxe1/1: the port is ACTIVE
            note     rxe1/1: the active MTU is 1024 bytes: large messages would need fewer packets with 4096
                       ip link set veth1 mtu 4200, if the whole network supports such packets
            ok       rxe1/1: 2 GIDs, each with its address
            ok       rxe1/1: a message arrives between two queue pairs
            ok       connection manager: /dev/infiniband/rdma_cm can be opened
            ok       peer 10.9.0.2: over rxe1 on veth1, from 10.9.0.2
            """);
    }

    @Test
    void findTheRestBesideAPeerWithoutAnAddress() {
        ExternalProcess.Result result = run("doctor --peer [");
        assertThat(result.exitCode()).as(result::toString).isEqualTo(4);
        assertThat(result.output()).contains(
                "ok       rxe1/1: a message arrives between two queue pairs\n",
                "ok       connection manager: /dev/infiniband/rdma_cm can be opened\n",
                "error    peer [: no such host: [\n           check the name, or give an address\n");
    }

    @Test
    void findTheObjectsOfACommandThatRuns() {
        assertThat(partsOf("together rc-pingpong -d rxe1 -g 1 -n 5 --and resources -k pd,cq,qp"
                + " --and rc-pingpong -d rxe0 -g 1 -n 5 localhost").replaceAll(" +details", " details")).isEqualTo("""
                    1|   local address:  LID 0x…, QPN 0x…, PSN 0x…, GID ::ffff:10.9.0.2
                    1|   remote address: LID 0x…, QPN 0x…, PSN 0x…, GID ::ffff:10.9.0.1
                    1| 40960 bytes in … seconds = … Mbit/sec
                    1| 5 iters in … seconds = … usec/iter
                    2| device  kind  number  owner details
                    2| rxe1    pd    0       java (pid …)
                    2| rxe1    cq    2       java (pid …)  cqe 511
                    2| rxe1    qp    17      java (pid …)  type RC  state INIT  rqpn 0  sq-psn 0  rq-psn 0
                    3|   local address:  LID 0x…, QPN 0x…, PSN 0x…, GID ::ffff:10.9.0.1
                    3|   remote address: LID 0x…, QPN 0x…, PSN 0x…, GID ::ffff:10.9.0.2
                    3| 40960 bytes in … seconds = … Mbit/sec
                    3| 5 iters in … seconds = … usec/iter
                    """);
    }

    @Test
    void connectByAddress() {
        assertThat(partsOf("together rping -s -a 10.9.0.2 -C 2 -v --and rping -c -a 10.9.0.2 -C 2 -v")).isEqualTo("""
            1| server ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr
            1| server ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs
            2| ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr
            2| ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs
            """);
    }

    @Test
    void measure() {
        String rule = " ---------------------------------------------------------------------------------------";
        assertThat(partsOf("together perf send-lat -d rxe1 -n 20 --and perf send-lat -d rxe0 -n 20 localhost").lines()
                .filter(line -> line.startsWith("2|"))
                .map(line -> line.substring(2)))
                .containsExactly(
                        rule,
                        "                     Send Latency Test",
                        "  Device          : rxe0",
                        "  Number of qps   : 1",
                        "  Connection type : RC",
                        "  TX depth        : 1",
                        "  RX depth        : 20",
                        "  Mtu             : 1024[B]",
                        "  GID index       : 1",
                        "  Max inline data : 0[B]",
                        rule,
                        "  local address: LID 0000 QPN 0x… PSN 0x…",
                        "  GID: 0000:0000:0000:0000:0000:ffff:0a09:0001",
                        "  remote address: LID 0000 QPN 0x… PSN 0x…",
                        "  GID: 0000:0000:0000:0000:0000:ffff:0a09:0002",
                        rule,
                        "  #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                                + "   99% percentile[usec]   99.9% percentile[usec]",
                        "  2       20 … … … … … … …",
                        rule);
    }

    /// The packets of both ends are tied to the work requests that they come of.
    @Test
    void areTracedWithThePacketsOfTheSimulatedWire() {
        String trace = run("trace --capture together rc-pingpong -d rxe1 -g 1 -n 1 -s 100"
                + " --and rc-pingpong -d rxe0 -g 1 -n 1 -s 100 localhost").requireSuccess().output();
        assertThat(trace.lines()
                .filter(line -> line.contains(" packet "))
                .map(line -> line.replaceFirst(".* packet +", "").replaceAll("0x[0-9a-f]+", "0x…")))
                .containsExactly(
                        "RC Send Only(in 10.9.0.1 → 10.9.0.2 QPN 0x… PSN 0x… AckReq, 100 bytes)"
                                + " = wr_id 2 of qp#17 on rxe0, into wr_id 1 of qp#17 on rxe1",
                        "RC Acknowledge(out 10.9.0.2 → 10.9.0.1 QPN 0x… PSN 0x…, 0 bytes) = answers wr_id 2 of qp#17 on rxe0",
                        "RC Send Only(out 10.9.0.2 → 10.9.0.1 QPN 0x… PSN 0x… AckReq, 100 bytes)"
                                + " = wr_id 2 of qp#17 on rxe1, into wr_id 1 of qp#17 on rxe0",
                        "RC Acknowledge(in 10.9.0.1 → 10.9.0.2 QPN 0x… PSN 0x…, 0 bytes) = answers wr_id 2 of qp#17 on rxe1");
    }

    /// The reader of the capture ends before the other commands, which never end.
    @Test
    void endWithTheReaderOfACapture() {
        var line = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; \"$@\" | head -c 1 >/dev/null", "bash"));
        line.addAll(command("together capture -i veth1 -w - --and rping -s -a 10.9.0.2"
                + " --and rping -c -a 10.9.0.2 -I 10.9.0.1"));
        ExternalProcess.Result result = ExternalProcess.of(line).run(LIMIT);
        assertThat(result.exitCode()).as(result::toString).isEqualTo(141);
        assertThat(result.output()).doesNotContain("Broken pipe");
    }

    /// A capture to the standard output ends before the other commands, which still print.
    @Test
    void printAfterTheEndOfACapture() {
        var line = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; \"$@\" | grep -a '4| rxe1'", "bash"));
        line.addAll(command("together capture -i veth1 -c 1 -w - --and rping -s -a 10.9.0.2 -C 1"
                + " --and rping -c -a 10.9.0.2 -I 10.9.0.1 -C 1 --and link list"));
        ExternalProcess.of(line).run(LIMIT).requireSuccess();
    }

    /// Without UTF-8, Java cannot represent the file's name. The client gets the answer, and the server ends normally.
    @Test
    void refuseAFileWhoseNameTheServerCannotRepresent() {
        var line = new ArrayList<>(List.of("env", "LC_ALL=C"));
        line.addAll(command("together rcopy --once --and rcopy /etc/passwd 10.9.0.2:/tmp/\u00e4"));
        ExternalProcess.Result result = ExternalProcess.of(line).run(LIMIT);
        assertThat(result.output()).contains("unable to open destination file: ")
                .doesNotContain("InvalidPathException", "1| verbs rcopy");
        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
    }

    /// The launcher uses a module path, and adds the modules that a command needs, regardless of preceding options.
    @Test
    void areTakenInStepsByTheLauncher() {
        List<String> lines = ExternalProcess.of(
                Repository.tool("verbs").toString(), "--simulate", "2", "step", "rc-pingpong", "--no-wait")
                .run(LIMIT)
                .requireSuccess()
                .output()
                .lines()
                .map(SimulatedToolsTest::withoutNumbers)
                .toList();
        assertThat(lines.stream().filter(line -> line.matches("Step \\d of 9: .*"))).hasSize(9);
        assertThat(lines).contains(
                "   RC Send Only             10.9.0.1 → 10.9.0.2 QPN 0x… PSN 0x… AckReq, 64 bytes",
                "   RC Send Only             10.9.0.2 → 10.9.0.1 QPN 0x… PSN 0x… AckReq, 64 bytes");
    }

    /// Another process sees the rings of a program on simulated devices.
    @Test
    void watchTheRingsOfAProgram() {
        try (
                var program =
                        ExternalProcess.of(command("together rc-pingpong -d rxe1 -g 1", "-Dverbs4j.management=true"))
                                .start()) {
            Eventually.until(LIMIT, () -> program.output().contains("local address"), program::output);
            assertThat(ExternalProcess.of(command("rings --once " + program.pid()))
                    .run(LIMIT)
                    .requireSuccess()
                    .output()
                    .replaceAll("  +", "  "))
                    .isEqualTo("""
                        context  queue  state  fill  of  producer  consumer  oldest  seen for  completions  per s
                        rxe1-1  cq 2  0  511  [............]  0  0  -  -  0  -
                        rxe1-1  qp 17 send  INIT  0  1  [............]  0  0  -  -  -  -
                        rxe1-1  qp 17 receive  INIT  500  511  [###########.]  500  0  wr_id 1  0.0 s  -  -
                        """);
        }
    }

    @Test
    void fallSilentTogetherWhenOneFails() {
        ExternalProcess.Result result = run("together rc-pingpong -d rxe1 -g 1 --and rc-pingpong -d rxe7 localhost");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output().lines().map(SimulatedToolsTest::withoutNumbers)).containsExactlyInAnyOrder(
                "1|   local address:  LID 0x…, QPN 0x…, PSN 0x…, GID ::ffff:10.9.0.2",
                "2| verbs rc-pingpong: find RDMA device rxe7 failed: ENODEV (19, No such device): there is no device of this name, only"
                        + " rxe0, rxe1",
                "verbs together: stopped because another command failed: rc-pingpong -d rxe1 -g 1");
    }

    @Test
    void nameTheDevicesIfThereIsNoneOfTheName() {
        List<String> commands = Stream.of(
                "devinfo", "gids", "counters", "resources", "doctor", "asyncwatch", "rc-pingpong", "uc-pingpong",
                "ud-pingpong", "srq-pingpong", "perf send-lat", "step rc-pingpong", "trace rc-pingpong",
                "trace --capture rc-pingpong")
                .map(command -> command + " -d rxe9")
                .toList();
        ExternalProcess.Result result = run("together " + String.join(" --and ", commands));
        assertThat(result.exitCode()).isEqualTo(1);
        for (int i = 1; i <= commands.size(); i++) {
            String label = i + "| ";
            assertThat(result.output().lines().filter(line -> line.startsWith(label)))
                    .as(commands.get(i - 1))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("rxe9", "only rxe0, rxe1");
        }
    }
}

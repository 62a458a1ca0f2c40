// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.Access;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that show what is there, against what the kernel and the C programs say.
@DeviceTest
@RealKernel("netlink, sysfs and programs in C")
@Needs.OneKernel
class InspectionIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final long PID = ProcessHandle.current().pid();

    /// `ibv_devinfo` before rdma-core 57 has no names for flush and atomic write with on-demand paging (Linux 7.2).
    private static final String UNNAMED = "Unknown flags: 0xC0";

    @ParameterizedTest
    @ValueSource(strings = {Rxe.LEFT, Rxe.RIGHT})
    void devinfoSaysOfEachValueWhatTheCProgramSays(String device) {
        List<String> ours = ToolRun.of("devinfo", "-v", "-d", device).requireSuccess().lines();
        List<String> theirs = ExternalProcess.of("ibv_devinfo", "-v", "-d", device)
                .run(LIMIT)
                .requireSuccess()
                .output()
                .lines()
                .filter(line -> !line.contains(UNNAMED))
                .toList();
        boolean unnamed = theirs.size() < ours.size();
        assertThat(unnamed ? ours.stream().filter(line -> !line.matches("\\s+SUPPORT_(FLUSH|ATOMIC_WRITE)")).toList()
                : ours)
                .isEqualTo(theirs);
    }

    @Test
    void devinfoAsJsonHasTheSameValues() {
        String json = ToolRun.of("devinfo", "--json", "-d", Rxe.LEFT).requireSuccess().output();
        try (Context context = Rxe.open()) {
            assertThat(json)
                    .contains(
                            "\"name\": \"rxe0\"",
                            "\"maxQueuePairs\": " + context.attributes().maxQueuePairs() + ",",
                            "\"maxMemoryRegionSize\": 18446744073709551615,",
                            "\"state\": \"ACTIVE\"",
                            "\"gid\": \"" + Rxe.gid(1) + "\"");
        }
        assertThat(python("import json,sys; print(json.load(sys.stdin)[0]['attributes']['ports'])", json))
                .isEqualTo("1");
    }

    @Test
    void devicesAsJsonHasNodeProviderAndState() {
        String json = ToolRun.of("devices", "--json").requireSuccess().output();
        assertThat(python(
                "import json,sys\nfor d in json.load(sys.stdin): print(d['device'],d['netdev'],d['provider'],d['ports'])",
                json))
                .isEqualTo("rxe0 veth0 rxe ['ACTIVE']\nrxe1 veth1 rxe ['ACTIVE']");
    }

    @Test
    void gidsMarksTheIpv4OneAndSaysWhy() {
        ToolRun run = ToolRun.of("gids", "-d", Rxe.LEFT).requireSuccess();
        assertThat(run.lines())
                .anySatisfy(line -> assertThat(line)
                        .matches("rxe0 +1 +1 \\* +" + Rxe.gid(1) + " +ROCE_V2 +veth0 +10\\.9\\.0\\.1"))
                .anySatisfy(line -> assertThat(line).matches("rxe0 +1 +0 +fe80:.* +ROCE_V2 +veth0 +fe80::.*"))
                .contains("* rxe0 port 1: the best GID there: ROCE_V2, IPv4, index 1");
    }

    /// The lab's routing table has one route for packets with a source address, and another one, to the own address,
    /// for packets without.
    @Test
    void gidsForAPeerAreThoseOfTheRouteToIt() {
        String program =
                "import json,sys; p=json.load(sys.stdin)[0]; print([g['address'] for g in p['gids'] if g['chosen']])";
        String here = ToolRun.of("gids", "-d", Rxe.LEFT, "--peer", "10.9.0.1", "--json").requireSuccess().output();
        assertThat(python(program, here)).isEqualTo("['10.9.0.1']");

        ToolRun elsewhere = ToolRun.of("gids", "-d", Rxe.LEFT, "--peer", "10.9.0.2").requireSuccess();
        assertThat(elsewhere.output())
                .contains("1 *",
                        "* rxe0 port 1: nearest to 10.9.0.2, an address of this machine: ROCE_V2, IPv4, index 1");
    }

    @Test
    void countersAreThoseOfSysfsAndGrowWithTraffic() {
        long before = counter("sent_pkts");
        int messages = 5;
        try (var pair = ConnectedPair.onTheWire().connect()) {
            for (int i = 0; i < messages; i++) {
                pair.right().receive(i, 0, 64);
                pair.left().post(batch -> batch.signaled().send().local(pair.left().memory(), 0, 64).post());
                pair.left().completions().nextSuccess();
            }
        }
        assertThat(counter("sent_pkts")).isGreaterThanOrEqualTo(before + messages);

        // Nothing of ours is under way any more; a packet of another process would make one attempt fail, not all.
        Eventually.until(() -> countersOfTheTool().entrySet().containsAll(countersOfSysfs().entrySet()),
                () -> "tool: " + countersOfTheTool()
                        + "\nsysfs: " + countersOfSysfs());
    }

    private static Map<String, Long> countersOfTheTool() {
        ToolRun run = ToolRun.of("counters", "-d", Rxe.LEFT).requireSuccess();
        return Pattern.compile("rxe0/1 +(\\w+) +(\\d+)")
                .matcher(run.output())
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> Long.valueOf(match.group(2))));
    }

    private static Map<String, Long> countersOfSysfs() {
        return Rxe.portSysfsNames("hw_counters")
                .stream()
                .filter(name -> !name.equals("lifespan"))
                .collect(Collectors.toMap(name -> name, name -> Long.valueOf(Rxe.portSysfs("hw_counters/" + name))));
    }

    private static long counter(String name) {
        ToolRun run = ToolRun.of("counters", "-d", Rxe.LEFT).requireSuccess();
        var matcher = Pattern.compile("rxe0/1 +" + name + " +(\\d+)").matcher(run.output());
        assertThat(matcher.find()).as(run.output()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void countersWatchesAsOftenAsIsAsked() {
        ToolRun run = ToolRun.of("counters", "--watch", "1", "--count", "2", "--json").requireSuccess();
        assertThat(run.lines()).hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line).contains("\"rxe1/1\":{");
                    var seconds = Pattern.compile("^\\{\"seconds\":([0-9.]+),").matcher(line);
                    assertThat(seconds.find()).isTrue();
                    assertThat(Double.parseDouble(seconds.group(1))).isBetween(1.0, 2.0);
                });
    }

    /// Beside iproute2's `rdma`, which reads the same answers of the kernel.
    @Test
    void resourcesShowsConnectionsWithTheirAddresses() throws Exception {
        var address = new InetSocketAddress("10.9.0.2", 18_990);
        var options = ConnectionOptions.defaults().withTimeout(LIMIT);
        try (var server = RdmaServer.listen(address, options)) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, options);
                    var accepted = accepting.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                String own = "10.9.0.2:" + client.localAddress().getPort();
                List<String> lines =
                        ToolRun.of("resources", "-k", "cm_id", "--pid", Long.toString(PID)).requireSuccess().lines();
                String owner = " +java \\(pid " + PID + "\\)";
                String connected = "port-space TCP  lqpn " + client.queuePair().number()
                        + "  type RC  state CONNECT  src-addr " + own + "  dst-addr 10.9.0.2:18990";
                assertThat(lines)
                        .anySatisfy(line -> assertThat(line)
                                .matches("rxe1 +cm_id +\\d+" + owner
                                        + " +port-space TCP  state LISTEN  src-addr 10.9.0.2:18990  dst-addr 0.0.0.0:0"))
                        .anySatisfy(line -> assertThat(line).contains(connected))
                        .anySatisfy(line -> assertThat(line)
                                .contains("lqpn " + accepted.queuePair().number(), "state CONNECT",
                                        "src-addr 10.9.0.2:18990  dst-addr " + own));
                assertThat(ExternalProcess.of("rdma", "resource", "show", "cm_id").run(LIMIT).requireSuccess().output())
                        .contains("lqpn " + client.queuePair().number() + " qp-type RC state CONNECT ps TCP",
                                "src-addr " + own + " dst-addr 10.9.0.2:18990");
            }
        }
        assertThat(ToolRun.of("resources", "-k", "cm_id", "--pid", Long.toString(PID)).requireSuccess().lines())
                .hasSize(1);
    }

    @Test
    void resourcesNamesWhatThisProcessHolds() {
        try (
                Context context = Rxe.open();
                var domain = context.allocateProtectionDomain();
                var region = domain.allocate(12_288, Access.LOCAL_WRITE);
                var queue = context.createCompletionQueue(16);
                var receives = domain.createSharedReceiveQueue(8, 1);
                var prepared = domain.reliableConnection(queue).prepare()) {
            List<String> lines = ToolRun.of("resources", "--pid", Long.toString(PID)).requireSuccess().lines();
            String owner = " +java \\(pid " + PID + "\\)";
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).matches("rxe0 +ctx +\\d+" + owner))
                    .anySatisfy(line -> assertThat(line).matches("rxe0 +pd +\\d+" + owner + " +ctxn \\d+  users \\d+"))
                    .anySatisfy(line -> assertThat(line)
                            .matches("rxe0 +mr +\\d+" + owner + " +mrlen 12288  pdn \\d+  lkey 0x"
                                    + String.format("%08x", region.localKey()) + "  rkey 0x[0-9a-f]{8}"))
                    .anySatisfy(line -> assertThat(line).matches("rxe0 +cq +\\d+" + owner + " +cqe \\d+  ctxn .*"))
                    .anySatisfy(line -> assertThat(line).matches("rxe0 +srq +\\d+" + owner + " .*"))
                    .anySatisfy(line -> assertThat(line)
                            .matches("rxe0 +qp +" + prepared.endpoint().queuePairNumber() + owner
                                    + " +type RC  state INIT .*"));
            assertThat(receives.isClosed()).isFalse();
        }
        assertThat(ToolRun.of("resources", "--pid", Long.toString(PID)).requireSuccess().lines()).hasSize(1);
    }

    @Test
    void resourcesListsAsManyObjectsAsIproute2() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            for (String kind : List.of("ctx", "pd", "mr", "cq", "qp")) {
                String theirs =
                        ExternalProcess.of("rdma", "resource", "show", kind).run(LIMIT).requireSuccess().output();
                assertThat(ToolRun.of("resources", "-k", kind).requireSuccess().lines())
                        .as(theirs)
                        .hasSize(1 + (int) theirs.lines().count());
            }
            assertThat(pair.left()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "gids", "counters"})
    void aWrongPortIsNamed(String command) {
        ToolRun.of(command, "-d", "rxe0", "-i", "2").requireFailure(1, "rxe0 has no port 2: it has 1");
    }

    private static String python(String program, String input) {
        return ExternalProcess.of("python3", "-c", program).input(input).run(LIMIT).requireSuccess().output().strip();
    }
}

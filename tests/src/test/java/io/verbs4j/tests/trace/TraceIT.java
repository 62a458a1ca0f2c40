// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.tools.pingpong.RcPingPongCommand;
import io.verbs4j.tracing.JsonTrace;
import io.verbs4j.tracing.TextTrace;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceLevel;
import io.verbs4j.tracing.Tracing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/// A trace names each byte that crosses to the kernel, and each object.
@DeviceTest
@Needs.OneKernel
class TraceIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static InThread.Started<Integer> pingPong(StringWriter output, String arguments) {
        return InThread.PLATFORM.start(() -> new CommandLine(new RcPingPongCommand())
                .setOut(new PrintWriter(output))
                .setErr(new PrintWriter(output))
                .execute(arguments.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({"18701, -c", "18702, -e"})
    void everyByteOfAPingPongIsExplained(int port, String option) throws Exception {
        var output = new StringWriter();
        try (var traced = new Traced(true)) {
            String common = " -g 1 -n 3 -s 64 -r 4 -p " + port + " " + option;
            var server = pingPong(output, "-d " + Rxe.RIGHT + common);
            Eventually.until(LIMIT, () -> TcpPorts.isListening(port), output::toString);
            var client = pingPong(output, "-d " + Rxe.LEFT + common + " " + Rxe.rightMachine());
            assertThat(client.result(LIMIT)).as(output::toString).isZero();
            assertThat(server.result(LIMIT)).as(output::toString).isZero();
            traced.assertEveryByteIsExplained();
            assertThat(traced.entries())
                    .extracting(TraceEntry::verb)
                    .contains(
                            "get context",
                            "query device",
                            "allocate protection domain",
                            "register memory",
                            "create completion queue",
                            "create queue pair",
                            "map ring",
                            "modify queue pair",
                            "post send",
                            "post receive",
                            "poll",
                            "destroy queue pair",
                            "deregister memory",
                            "close device");
            assertThat(traced.entries())
                    .as("nothing of a program that works counts as failed")
                    .filteredOn(TraceEntry::failed)
                    .isEmpty();
            assertThat(traced.entries())
                    .filteredOn(TraceEntry::isQuestion)
                    .first()
                    .extracting(TraceEntry::explanation, STRING)
                    .contains(
                            "whether this kernel accepts write commands inside an ioctl: it reported a missing request");
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.kind() == TraceEntry.Kind.MAP)
                    .allSatisfy(entry -> assertThat(entry.arguments()).contains(" ring of "));
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.verb().equals("modify queue pair"))
                    .allSatisfy(entry -> assertThat(entry.arguments()).contains("qp_handle=qp#", "qp_state="));
        }
    }

    /// The older ways, which a program takes on older kernels.
    @ParameterizedTest
    @EnumSource
    void everyByteOfEveryTransportIsExplained(Transport transport) {
        try (var traced = new Traced(false)) {
            var file = Tracing.wrap(
                    Rxe.openFile(), Rxe.LEFT, new RxeProviderFactory().abi());
            try (var channel = CommandChannel.open(file, 14, Rxe.LEFT, 2, transport)) {
                GetContext.execute(channel, DriverData.NONE).asyncEvents().close();
                QueryDevice.execute(channel);
                QueryPort.execute(channel, 1);
                int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
                DeallocateProtectionDomain.execute(channel, domain);
            }
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.kind() == TraceEntry.Kind.COMMAND && !entry.isQuestion())
                    .extracting(TraceEntry::transport)
                    .contains(switch (transport) {
                        case NATIVE_IOCTL -> "ioctl";
                        case INVOKE_WRITE -> "ioctl (INVOKE_WRITE)";
                        case WRITE -> "write";
                    })
                    .doesNotContain(switch (transport) {
                        case NATIVE_IOCTL -> "write";
                        case INVOKE_WRITE -> "ioctl";
                        case WRITE -> "ioctl (INVOKE_WRITE)";
                    });
            // Linux refuses GET_CONTEXT inside INVOKE_WRITE, and takes it by write() then.
            assertThat(traced.entries())
                    .hasSizeGreaterThanOrEqualTo(6)
                    .filteredOn(TraceEntry::failed)
                    .allMatch(entry -> transport == Transport.INVOKE_WRITE && entry.verb().equals("get context"));
            traced.assertEveryByteIsExplained();
        }
    }

    @Test
    void itShowsTheRingsWithTheirIndices() {
        try (var traced = new Traced(true); var pair = ConnectedPair.onTheWire().connect()) {
            pair.right().receive(7, 0, 64);
            pair.left().send(9, 0, 16);
            pair.left().completions().nextSuccess();
            pair.right().completions().nextSuccess();
            traced.assertEveryByteIsExplained();
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.kind() == TraceEntry.Kind.POST)
                    .anySatisfy(entry -> {
                        assertThat(entry.command()).startsWith("send ring of qp#");
                        assertThat(entry.arguments()).startsWith("producer_index 0 → 1");
                        assertThat(entry.outcome()).isEqualTo("wr_id 9 SEND 16 bytes");
                    })
                    .anySatisfy(entry -> {
                        assertThat(entry.command()).startsWith("receive ring of qp#");
                        assertThat(entry.outcome()).isEqualTo("wr_id 7 receive 64 bytes");
                    });
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.kind() == TraceEntry.Kind.COMPLETION)
                    .extracting(TraceEntry::outcome)
                    .anyMatch(text -> text.startsWith("wr_id 7 on qp#") && text.endsWith("RECEIVE 16 bytes"))
                    .anyMatch(text -> text.startsWith("wr_id 9 on qp#") && text.contains(" SEND "));
        }
    }

    @Test
    void itIsTextAndJson() {
        var text = new StringWriter();
        var json = new StringWriter();
        var session = Tracing.start(new TextTrace(text, TraceLevel.BYTES).and(new JsonTrace(json)), false);
        try (var context = Rxe.open()) {
            context.allocateProtectionDomain().close();
        } finally {
            session.close();
        }
        assertThat(text.toString())
                .contains("allocate protection domain  ALLOC_PD = pd#")
                .contains("struct ib_uverbs_ex_query_device_resp, 304 bytes at 0x")
                .contains("[ioctl (INVOKE_WRITE), ");
        assertThat(json.toString().lines())
                .allMatch(line -> line.startsWith("{\"number\":") && line.endsWith("]}"))
                .anyMatch(line -> line.contains("\"command\":\"IB_USER_VERBS_CMD_ALLOC_PD\""));
    }

    /// The third lane of the page: each packet with its work request, and each end's completion.
    @Test
    void packetsAreTiedToWorkRequests(@TempDir Path folder) throws Exception {
        Path page = folder.resolve("trace.html");
        Path json = folder.resolve("trace.json");
        int port = 18703;
        String common = " -g 1 -n 2 -s 64 -r 4 -p " + port;
        var output = new StringWriter();
        var server = pingPong(output, "-d " + Rxe.RIGHT + common);
        Eventually.until(LIMIT, () -> TcpPorts.isListening(port), output::toString);
        ToolRun.of(("trace --capture --text " + folder.resolve("trace.txt") + " --json " + json + " --html " + page
                + " rc-pingpong -d " + Rxe.LEFT + common + " " + Rxe.rightMachine()).split(" "))
                .requireSuccess();
        assertThat(server.result(LIMIT)).as(output::toString).isZero();
        var packets = new LinkedHashMap<String, String>();
        for (String line : Files.readAllLines(json)) {
            if (line.contains("\"kind\":\"wire\"")) {
                // A packet whose acknowledgement is late on a busy machine is sent again.
                packets.put(line.replaceAll(".*(\"arguments\":\"[^\"]*\").*", "$1"), line);
            }
        }
        assertThat(packets.values())
                .as("two messages each way, and their acknowledgements")
                .hasSize(8)
                .allMatch(line -> line.contains("\"command\":\"RC Send Only\"")
                        || line.contains("\"command\":\"RC Acknowledge\""))
                .filteredOn(line -> line.contains("\"arguments\":\"out ") && line.contains("Send Only"))
                .hasSize(2)
                .allMatch(line -> line.matches(".*\"outcome\":\"wr_id 2 of qp#\\d+ on rxe0\".*"));
        assertThat(Files.readString(page)).containsPattern("id=\"ties\">\\{\"\\d+\":\\[");
    }
}

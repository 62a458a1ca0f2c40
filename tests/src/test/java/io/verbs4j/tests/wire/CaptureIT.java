// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.ImpairedLink.Side;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.tests.support.WireCapture;
import io.verbs4j.tools.wire.LiveCapture;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command that shows what crosses.
@DeviceTest
@RealKernel("a network interface to capture from")
@Needs.OneKernel
class CaptureIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);

    private final ConnectedPair pair = connect();
    @TempDir private Path folder;

    @AfterEach
    void close() {
        pair.close();
    }

    private static ConnectedPair connect() {
        return ConnectedPair.onTheWire().both(builder -> builder.timeout(Kernel.TIMEOUT_WITHOUT_RETRIES)).connect();
    }

    private void exchangeOneMessage() {
        exchangeOneMessage(pair);
    }

    private static void exchangeOneMessage(ConnectedPair pair) {
        pair.right().receiveNothing(1);
        pair.left().send(1, 0, 0);
        pair.left().completions().nextSuccess();
        pair.right().completions().nextSuccess();
    }

    /// Runs the command, and exchanges messages until it has seen enough.
    private ToolRun capture(String... options) throws Exception {
        var arguments = new ArrayList<>(List.of("capture"));
        arguments.addAll(List.of(options));
        var run = InThread.PLATFORM.start(() -> ToolRun.of(arguments.toArray(String[]::new)));
        while (!run.isDone()) {
            exchangeOneMessage();
        }
        return run.result().requireSuccess();
    }

    @Test
    void aLineReportsEachPacket() throws Exception {
        ToolRun run = capture("-i", Rxe.LEFT, "-c", "4");

        assertThat(run.lines()).hasSize(4);
        assertThat(run.output())
                .containsPattern("\\d\\.\\d{6}  10\\.9\\.0\\.1 → 10\\.9\\.0\\.2  RC Send Only {13}QPN 0x[0-9a-f]{6}"
                        + "  PSN 0x[0-9a-f]{6}  AckReq  ICRC ok\n")
                .containsPattern("10\\.9\\.0\\.2 → 10\\.9\\.0\\.1  RC Acknowledge {11}QPN 0x[0-9a-f]{6}"
                        + "  PSN 0x[0-9a-f]{6}  ACK  MSN \\d+  ICRC ok\n");
        assertThat(run.error())
                .contains("capturing on veth0", "4 packets captured, 4 shown, 0 with a wrong ICRC, 0 lost");
    }

    /// Among those of another pair, which speaks first each time.
    @Test
    void onlyThePacketsThatAreAskedForAreShown() throws Exception {
        int number = pair.left().queuePair().number();
        var arguments =
                List.of("capture", "-i", "veth0", "--qp", Integer.toString(number), "--opcode", "ack,0x12", "-c",
                        "2");
        try (var other = connect()) {
            var run = InThread.PLATFORM.start(() -> ToolRun.of(arguments.toArray(String[]::new)));
            while (!run.isDone()) {
                exchangeOneMessage(other);
                exchangeOneMessage();
            }
            assertThat(run.result().requireSuccess().lines())
                    .hasSize(2)
                    .allMatch(line -> line.contains("→ 10.9.0.1  RC Acknowledge"))
                    .allMatch(line -> line.contains("QPN 0x%06x ".formatted(number)));
        }
    }

    @Test
    void programsGetJson() throws Exception {
        assertThat(capture("-i", "veth1", "--opcode", "send only", "--json", "-c", "1").output())
                .matches(
                        "\\{\"frame\":1?\\d,\"nanoseconds\":\\d+,.*\"source\":\"10.9.0.1\",\"destination\":\"10.9.0.2\",.*"
                                + "\"opcode\":\"RC Send Only\",\"opcodeValue\":4,.*\"icrcOk\":true\\}\n");
    }

    @Test
    void filesAreThoseOfTcpdump() throws Exception {
        Path file = folder.resolve("wire.pcap");
        capture("-i", Rxe.LEFT, "-w", file.toString(), "-q", "-c", "6");

        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.getInt()).as("magic number of nanoseconds").isEqualTo(0xa1b23c4d);
        assertThat(bytes.getShort()).as("major version").isEqualTo((short) 2);
        assertThat(bytes.getShort()).as("minor version").isEqualTo((short) 4);
        assertThat(bytes.getInt(20)).as("link type").isEqualTo(1);
        String read = ExternalProcess.of("tcpdump", "-n", "-r", file.toString())
                .run(LIMIT)
                .requireSuccess()
                .output();
        assertThat(read.lines().filter(line -> line.contains(".4791: "))).hasSize(6);
        assertThat(ToolRun.of("packets", file.toString()).requireSuccess().lines()).hasSize(6);
    }

    @Test
    void whatCannotBeIsRefusedAtOnce() {
        ToolRun.of("capture", "-i", "veth9")
                .requireFailure(1, "unknown network interface or device: veth9", "'ip link' lists");
        String file = folder.resolve("missing").resolve("wire.pcap").toString();
        ToolRun run = ToolRun.of("capture", "-i", "veth0", "-w", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.error()).contains("verbs capture: cannot write " + file + ": there is no such file or folder");
        ToolRun.of("capture", "--json", "-v").requireFailure(2, "--json and --verbose cannot be combined");
    }

    @Test
    void anInterruptEndsItWithASummary() throws Exception {
        Path file = folder.resolve("wire.pcap");
        var run = InThread.PLATFORM.start(() -> ToolRun.of("capture", "-i", "veth0", "-w", file.toString()));
        Eventually.until(
                () -> {
                    exchangeOneMessage();
                    return Files.exists(file) && file.toFile().length() > 1000;
                },
                () -> "nothing is captured");
        run.interrupt();
        ToolRun ended = run.result().requireSuccess();

        assertThat(ended.error()).matches("(?s)capturing on veth0.*\\d+ packets captured.* 0 lost by the capture\n");
        assertThat(ToolRun.of("packets", file.toString()).requireSuccess().lines())
                .hasSameSizeAs(ended.lines())
                .hasSizeGreaterThan(2);
    }

    /// The kernel itself selects the datagrams to RoCE v2's port. A loopback interface shows each twice, once leaving
    /// and once arriving.
    @Test
    void otherDatagramsNeverReachIt() throws IOException {
        try (LiveCapture capture = LiveCapture.of("lo"); DatagramSocket socket = new DatagramSocket()) {
            for (String address : List.of("127.0.0.1", "::1")) {
                for (int port : new int[]{RoceV2Packet.UDP_PORT, RoceV2Packet.UDP_PORT + 1, 53}) {
                    byte[] bytes = (address + " " + port).getBytes(StandardCharsets.US_ASCII);
                    socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(address), port));
                }
            }
            var texts = new ArrayList<String>();
            for (CapturedFrame frame = capture.next(0); frame != null; frame = capture.next(0)) {
                var text = new String(frame.bytes(), StandardCharsets.ISO_8859_1);
                texts.add(text.contains("127.0.0.1 ") ? "IPv4" : text.contains("::1 4791") ? "IPv6" : text);
            }
            assertThat(texts).containsExactly("IPv4", "IPv4", "IPv6", "IPv6");
            assertThat(capture.takeLost()).isZero();
        }
    }

    @Test
    void aLinkThatGoesDownDoesNotEndIt() {
        try (
                WireCapture capture = WireCapture.start();
                var wire = new ImpairedLink()) {
            wire.setDown(Side.LEFT);
            assertThat(capture.take()).isEmpty();
            wire.setUp(Side.LEFT);
            exchangeOneMessage();
            assertThat(capture.take()).hasSize(2);
        }
    }
}

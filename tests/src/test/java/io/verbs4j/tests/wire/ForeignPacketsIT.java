// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Packets to RoCE's UDP port from a plain socket, which any program of the network may open. Messages between queue
/// pairs continue, none is duplicated, and none comes from the socket.
@DeviceTest
@RealKernel("a UDP port that rxe listens on")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs.EachKernel
class ForeignPacketsIT {
    private static final int PORT = 4791;
    private static final int BTH_BYTES = 12;
    private static final int CRC_BYTES = 4;
    private static final int LONGEST = 1400;
    private static final int FEW = 100;
    /// As many as the long form of the flood has messages, which it is on the way with.
    private static final int MESSAGES = Integer.getInteger("verbs4j.test.hurt.messages", 2000);

    /// Kinds of foreign packets.
    private enum Kind {
        /// Anything.
        NOISE,
        /// A header that breaks off.
        TRUNCATED,
        /// A send to a queue pair that exists, of the length that it should have, with a checksum that is not right.
        WRONG_CHECKSUM;

        byte[] packet(SplittableRandom random, int queuePair) {
            int length = switch (this) {
                case NOISE -> random.nextInt(LONGEST);
                case TRUNCATED -> random.nextInt(BTH_BYTES + CRC_BYTES);
                case WRONG_CHECKSUM -> BTH_BYTES + 4 * (1 + random.nextInt(64)) + CRC_BYTES;
            };
            byte[] packet = new byte[length];
            random.nextBytes(packet);
            if (this != NOISE) {
                byte[] bth = {
                        4, 0x40, (byte) 0xff, (byte) 0xff, 0, (byte) (queuePair >> 16), (byte) (queuePair >> 8),
                        (byte) queuePair, (byte) 0x80
                }; // "send only", with a request for an acknowledgement; the packet sequence number stays random
                System.arraycopy(bth, 0, packet, 0, Math.min(bth.length, length));
            }
            return packet;
        }
    }

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();

    private int send(int queuePair) throws IOException {
        var random = new SplittableRandom(4791);
        try (var socket = new DatagramSocket(new InetSocketAddress("10.9.0.1", 0))) {
            var target = new InetSocketAddress("10.9.0.2", PORT);
            while (!stop.get()) {
                Kind kind = Kind.values()[sent.get() % Kind.values().length];
                byte[] packet = kind.packet(random, queuePair);
                socket.send(new DatagramPacket(packet, packet.length, target));
                sent.incrementAndGet();
            }
        }
        return sent.get();
    }

    private void awaitForeign(int count) {
        Eventually.until(() -> sent.get() >= count, () -> sent + " foreign packets");
    }

    /// Returns the number of datagrams that the kernel has delivered, without the packets counted by rxe, which have a
    /// correct checksum.
    private static long foreignDatagrams() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/snmp"))) {
            String datagrams = lines.filter(line -> line.matches("Udp: \\d.*")).findFirst().orElseThrow().split(" ")[1];
            return Long.parseLong(datagrams) - Rxe.counter(Rxe.LEFT, "rcvd_pkts") - Rxe.counter(Rxe.RIGHT, "rcvd_pkts");
        }
    }

    @Test
    void doNoHarmToMessages() throws Exception {
        long before = foreignDatagrams();
        try (var pair = ConnectedPair.onTheWire().connect()) {
            End right = pair.right();
            right.bytes(0, 1024).fill((byte) 7);
            right.receive(1, 0, 1024);
            var foreign = InThread.PLATFORM.start(() -> send(right.queuePair().number()));
            try {
                awaitForeign(FEW);
                Flood.run(MESSAGES, 2, builder -> builder.timeout(14).retryCount(7));
                // A busy machine may have let all messages through between two packets.
                awaitForeign(sent.get() + FEW);
            } finally {
                stop.set(true);
            }
            foreign.result();
            right.completions().assertNone();
            byte[] untouched = new byte[1024];
            Arrays.fill(untouched, (byte) 7);
            assertThat(HexFormat.of().formatHex(right.bytes(0, 1024).toArray(ValueLayout.JAVA_BYTE)))
                    .isEqualTo(HexFormat.of().formatHex(untouched));
            // The connection that was spoken to in vain still works.
            pair.left().send(2, 0, 64);
            pair.left().completions().nextSuccess();
            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(64);
            IO.println(sent + " foreign packets, while " + MESSAGES + " messages arrived");
            assertThat(foreignDatagrams() - before).as("foreign packets that rxe was given").isGreaterThan(FEW);
        }
    }
}

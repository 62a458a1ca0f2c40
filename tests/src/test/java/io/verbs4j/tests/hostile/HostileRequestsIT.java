// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.KernelFaults;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RawWire;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A peer, or a host that forges the peer's address, sends requests with any opcode, wrong headers, unsuitable
/// payloads, and in any order. The kernel survives, memory outside the region given to the peer does not change, and
/// other peers are served.
///
/// Kernels built with defect checks get all of these packets, others every ninth, or by default every thirty-first.
@DeviceTest
@RealKernel("a network interface to send raw packets from")
@Needs.OneKernel("what a peer may do is the same everywhere; --all shows that each kernel bears it")
class HostileRequestsIT {
    private static final int MTU = 1024;
    private static final int PSN = 1000;
    /// Behind these bytes the peer may write, and before the last ones.
    private static final int MARGIN = 4096;
    private static final byte UNTOUCHED = 0x5a;
    private static final int OPCODES = 256;
    private static final int[] PAYLOADS = {0, 1, 8, MTU, MTU + 4};
    private static final int SEND_FIRST = 0;
    private static final int WRITE_FIRST = 6;
    private static final long A_MOMENT_NANOS = 200_000;
    private static final int STEP = KernelFaults.areThere() ? 1 : Long.getLong("walks.minutes", 0) > 0 ? 9 : 31;

    /// Packets before the one that is looked at: none, or the beginning of a message.
    private static final List<List<HostilePacket>> BEGINNINGS = List.of(
            List.of(),
            List.of(new HostilePacket(SEND_FIRST, 0, MTU, 0)),
            List.of(new HostilePacket(WRITE_FIRST, 0, MTU, 0)));

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void reachNothingThatIsNotTheirs(QueuePairType transport) {
        int number = 0;
        ConnectedPair pair = connect(transport);
        try (var wire = RawWire.toTheRight()) {
            for (int opcode = 0; opcode < OPCODES; opcode++) {
                if (isOfAnother(opcode, transport)) {
                    continue;
                }
                for (List<HostilePacket> packets : sequences(opcode)) {
                    if (number++ % STEP != 0) {
                        continue;
                    }
                    if (!pair.right().queuePair().query().state().equals(QueuePairState.RTS)) {
                        checkMargins(pair.right());
                        pair.close();
                        pair = connect(transport);
                    }
                    send(wire, pair.right(), packets, transport);
                }
            }
            checkMargins(pair.right());
        } finally {
            pair.close();
        }
        serveAnHonestPeer(transport);
        assertThat(number).isGreaterThan(1000);
    }

    /// One of each other transport is enough.
    private static boolean isOfAnother(int opcode, QueuePairType transport) {
        int own =
                switch (transport) {
                    case UC -> 1;
                    case UD -> 3;
                    default -> 0;
                };
        return opcode >>> 5 != own && (opcode & 0x1f) != 4;
    }

    private static List<List<HostilePacket>> sequences(int opcode) {
        var all = new ArrayList<List<HostilePacket>>();
        for (List<HostilePacket> beginning : BEGINNINGS) {
            for (int lie = 0; lie < HostilePacket.LIES; lie++) {
                for (int payload : PAYLOADS) {
                    var packets = new ArrayList<>(beginning);
                    int offset = lie == 5 && payload == 8 ? 5 : lie == 4 && payload == 8 ? -1 : 0;
                    packets.add(new HostilePacket(opcode, lie, payload, beginning.size() + offset));
                    all.add(packets);
                }
            }
        }
        return all;
    }

    private static ConnectedPair connect(QueuePairType transport) {
        var pair = ConnectedPair.onTheWire()
                .transport(transport)
                .memory(4 * MARGIN)
                .access(rights())
                .both(builder -> transport == QueuePairType.RC ? builder.packetSequenceNumber(PSN).access(rights())
                        : transport == QueuePairType.UC
                                ? builder.packetSequenceNumber(PSN).access(Access.REMOTE_WRITE)
                                : builder)
                .connect();
        pair.right().memory().segment().fill(UNTOUCHED);
        return pair;
    }

    private static Access[] rights() {
        return new Access[]{Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};
    }

    private static void send(RawWire wire, End right, List<HostilePacket> packets, QueuePairType transport) {
        right.queue().poll(100, _ -> {});
        try (ReceiveBatch receives = right.queuePair().beginReceive()) {
            receives.receive(right.memory(), MARGIN, 2 * MARGIN); // unless enough of former ones wait
            receives.submit();
        }
        int number = right.queuePair().number();
        var offered = new RemoteMemory(
                right.memory().address() + MARGIN, 2L * MARGIN, right.memory().remote().remoteKey());
        int psn = transport == QueuePairType.UD ? PSN : right.queuePair().query().receivePsn();
        wire.send(packets.stream()
                .map(packet -> packet.to(number, psn, offered))
                .toArray(RoceV2Packet[]::new));
        LockSupport.parkNanos(A_MOMENT_NANOS);
    }

    /// The region begins before what the peer was offered, and no packet asks for that.
    private static void checkMargins(End right) {
        assertThat(right.bytes(0, MARGIN).mismatch(untouched())).isEqualTo(-1);
    }

    private static MemorySegment untouched() {
        byte[] bytes = new byte[MARGIN];
        Arrays.fill(bytes, UNTOUCHED);
        return MemorySegment.ofArray(bytes);
    }

    private static void serveAnHonestPeer(QueuePairType transport) {
        try (
                var pair = ConnectedPair.onTheWire()
                        .transport(transport)
                        .both(builder -> builder.timeout(Kernel.TIMEOUT_WITHOUT_RETRIES))
                        .connect()) {
            pair.right().receive(1, 0, 64);
            pair.left().send(1, 100, 8);
            pair.left().completions().nextSuccess();
            pair.right().completions().nextSuccess();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.SendBatch;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.tests.support.WireCapture;
import io.verbs4j.tests.wire.PacketModel.Exchange;
import io.verbs4j.tests.wire.PacketModel.Message;
import io.verbs4j.types.Access;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every packet of every operation on the wire between two devices matches [PacketModel]: opcode, sequence number,
/// acknowledge request, solicited bit, padding, extension headers, payload and answers. Its invariant CRC is correct.
@DeviceTest
@Covers({"ibv_post_send", "ibv_post_recv"})
@Needs.EachKernel
class PacketsOfVerbsIT {
    /// So that the sequence numbers run over their end soon.
    private static final int FIRST_PSN = 0xff_fff0;

    private static final int IMMEDIATE = 0xcafe_0042;
    /// Offset at which memory of the peer is written and read; multiple of 8.
    private static final int OFFSET = 64;
    private static final int RECEIVE_BYTES = 60_000;

    private final List<Access> rights = new ArrayList<>(List.of(
            Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));

    PacketsOfVerbsIT() {
        if (Kernel.hasFlushAndAtomicWrite()) {
            rights.add(Access.FLUSH_GLOBAL);
        }
    }

    @ParameterizedTest(name = "{0} at path MTU {1}")
    @CsvSource({"RC, 256", "RC, 512", "RC, 1024", "UC, 256", "UC, 512", "UC, 1024", "UD, 1024"})
    @Needs.OneKernel
    void areThoseOfTheSpecification(QueuePairType transport, int mtu) {
        exchangeEverything(transport, mtu);
    }

    @ParameterizedTest(name = "{0} at path MTU {1}")
    @CsvSource({"RC, 2048", "RC, 4096", "UC, 2048", "UC, 4096", "UD, 4096"})
    @Needs.OneKernel
    void areThoseOfTheSpecificationOnAWideWire(QueuePairType transport, int mtu) {
        Rxe.withMtu(4096 + 200, () -> exchangeEverything(transport, mtu));
    }

    /// Long messages ask for acknowledgements on their way; answers must not come late, or the sender repeats.
    @Test
    void longMessagesAskForAcknowledgementsOnTheirWay() {
        try (Line line = new Line(QueuePairType.RC, 256)) {
            Exchange exchange = line.run(Operation.SEND, 200 * 256, false);
            assertThat(exchange.requests().stream().filter(WirePacket::ackRequest)).hasSize(4);
            line.run(Operation.RDMA_WRITE, 66 * 256, false);
            line.run(Operation.RDMA_WRITE, 67 * 256, false);
        }
    }

    @Test
    void flushesHaveAnInvariantCrcOverTheirHeadersTwiceOnRxe() {
        assumeTrue(Kernel.hasFlushAndAtomicWrite(), "this kernel has no flush and atomic write");
        try (Line line = new Line(QueuePairType.RC, 1024)) {
            line.left.post(batch -> batch.signaled()
                    .flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                    .remote(line.right.memory().remote())
                    .post());
            line.left.completions().nextSuccess();
            RoceFrame flush = line.capture.take().getFirst();

            assertThat(flush.isIntact()).isNotEqualTo(Kernel.checksHeadersOfFlushesTwice());
            assertThat(flush.packet().icrc()).isEqualTo(WireCapture.rxeIcrc(flush));
        }
    }

    /// The solicited bit is on the last packet of what takes a receive, and on nothing else.
    @Test
    void onlyTheLastPacketIsSolicited() {
        try (Line line = new Line(QueuePairType.RC, 1024)) {
            for (Operation operation : line.operations()) {
                if (operation != Operation.SEND_WITH_INVALIDATE) {
                    line.run(operation, line.length(operation, 2500), true);
                }
            }
        }
    }

    private void exchangeEverything(QueuePairType transport, int mtu) {
        int[] lengths = transport == QueuePairType.UD
                ? new int[]{0, 1, 2, 3, 4, mtu - 1, mtu}
                : new int[]{0, 1, 2, 3, 4, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu + 5};
        try (Line line = new Line(transport, mtu)) {
            for (Operation operation : line.operations()) {
                for (int length : lengths) {
                    if (line.length(operation, length) == length) {
                        line.run(operation, length, false);
                    }
                }
            }
        }
    }

    /// Two queue pairs, the capture between them, and the model of the left one.
    private final class Line implements AutoCloseable {
        private final QueuePairType transport;
        private final ConnectedPair pair;
        private final End left;
        private final End right;
        private final PacketModel model;
        private final WireCapture capture;
        private int seed;

        Line(QueuePairType transport, int mtu) {
            this.transport = transport;
            var regionRights = new ArrayList<>(rights);
            regionRights.add(Access.MEMORY_WINDOW_BIND);
            pair = ConnectedPair.onTheWire()
                    .transport(transport)
                    .access(regionRights.toArray(Access[]::new))
                    .both(builder -> settings(builder, mtu))
                    .connect();
            left = pair.left();
            right = pair.right();
            model = new PacketModel(transport, mtu, FIRST_PSN);
            capture = WireCapture.start();
        }

        private QueuePairBuilder settings(QueuePairBuilder builder, int mtu) {
            builder.packetSequenceNumber(FIRST_PSN);
            return transport == QueuePairType.UD
                    ? builder
                    : builder.pathMtu(Mtu.ofBytes(mtu))
                            .access(rights.stream().filter(right -> right != Access.LOCAL_WRITE).toArray(Access[]::new))
                            .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES);
        }

        List<Operation> operations() {
            return Arrays.stream(Operation.values())
                    .filter(operation -> operation.isOf(transport))
                    .filter(operation -> Kernel.hasFlushAndAtomicWrite()
                            || (operation != Operation.FLUSH && operation != Operation.ATOMIC_WRITE))
                    .toList();
        }

        /// Returns what an operation makes of a length: atomic ones have one of their own.
        int length(Operation operation, int wanted) {
            return operation.isAtomic() || operation == Operation.ATOMIC_WRITE ? Long.BYTES : wanted;
        }

        /// Has the left end send one message, and compares its packets with the model's.
        Exchange run(Operation operation, int length, boolean solicited) {
            Message message = message(operation, length, solicited);
            if (operation.takesReceive()) {
                right.receive(1, 0, RECEIVE_BYTES);
            }
            left.post(batch -> post(addressed(solicited ? batch.solicited() : batch).signaled(), message));
            left.completions().nextSuccess();
            if (operation.takesReceive()) {
                right.completions().nextSuccess();
            } else if (transport != QueuePairType.RC) {
                Eventually.until(
                        () -> MemorySegment.mismatch(
                                right.memory().segment(), OFFSET, OFFSET + (long) length,
                                MemorySegment.ofArray(message.data()), 0, length) < 0,
                        () -> operation + " of " + length + " bytes has not arrived");
            }
            Exchange expected = model.send(message);
            List<RoceFrame> packets = capture.take();
            String what = transport + " " + operation + " of " + length + " bytes";
            assertThat(to(right, "10.9.0.2", packets)).as(what).isEqualTo(expected.requests());
            assertThat(to(left, "10.9.0.1", packets)).as("answers to " + what).isEqualTo(expected.responses());
            assertThat(packets).as(what).hasSize(expected.requests().size() + expected.responses().size());
            return expected;
        }

        private SendBatch addressed(SendBatch batch) {
            return transport == QueuePairType.UD ? left.toPeer(batch) : batch;
        }

        private Message message(Operation operation, int length, boolean solicited) {
            boolean theirs = operation == Operation.RDMA_READ || operation.isAtomic();
            MemorySegment source = theirs ? right.bytes(OFFSET, length) : left.bytes(0, length);
            TestBytes.fill(source, ++seed);
            int argument = operation == Operation.SEND_WITH_INVALIDATE ? windowKey() : IMMEDIATE;
            long original = operation.isAtomic() ? source.get(ValueLayout.JAVA_LONG, 0) : 0;
            return new Message(
                    operation,
                    source.toArray(ValueLayout.JAVA_BYTE),
                    solicited,
                    operation.isSend() ? 0 : right.memory().address() + OFFSET,
                    operation.isSend() ? 0 : right.memory().remoteKey(),
                    argument,
                    0x1122_3344_5566_7788L,
                    operation == Operation.COMPARE_AND_SWAP ? original : 0,
                    original,
                    new Deth(ConnectedPair.QKEY, left.queuePair().number()));
        }

        /// A key of the right end that can be taken out of service.
        private int windowKey() {
            var window = right.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
            right.post(batch -> batch.signaled()
                    .bind(window, Access.mask(Access.REMOTE_READ))
                    .local(right.memory(), 0, 64)
                    .post());
            right.completions().nextSuccess();
            return window.remoteKey();
        }

        private boolean post(SendBatch batch, Message message) {
            var remote = right.memory().remote();
            int length = message.data().length;
            return switch (message.operation()) {
                case SEND -> batch.send().local(left.memory(), 0, length).post();
                case SEND_WITH_IMMEDIATE -> batch.send().immediate(IMMEDIATE).local(left.memory(), 0, length).post();
                case SEND_WITH_INVALIDATE -> batch.send()
                        .invalidating(message.argument())
                        .local(left.memory(), 0, length)
                        .post();
                case RDMA_WRITE -> batch.write().local(left.memory(), 0, length).remote(remote, OFFSET).post();
                case RDMA_WRITE_WITH_IMMEDIATE ->
                    batch.write().immediate(IMMEDIATE).local(left.memory(), 0, length).remote(remote, OFFSET).post();
                case RDMA_READ -> batch.read().local(left.memory(), 0, length).remote(remote, OFFSET).post();
                case COMPARE_AND_SWAP ->
                    batch.compareAndSwap(message.compare(), message.operand())
                            .local(left.memory(), 0, Long.BYTES)
                            .remote(remote, OFFSET)
                            .post();
                case FETCH_AND_ADD -> batch.fetchAndAdd(message.operand())
                        .local(left.memory(), 0, Long.BYTES)
                        .remote(remote, OFFSET)
                        .post();
                case FLUSH ->
                    batch.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                            .remote(remote.slice(OFFSET, length))
                            .post();
                case ATOMIC_WRITE ->
                    batch.atomicWrite(left.memory().segment().get(ValueLayout.JAVA_LONG, 0))
                            .remote(remote, OFFSET)
                            .post();
            };
        }

        private static List<WirePacket> to(End end, String address, List<RoceFrame> packets) {
            return packets.stream()
                    .filter(frame -> frame.destination().getHostAddress().equals(address))
                    .filter(frame -> frame.packet().bth().destinationQueuePair() == end.queuePair().number())
                    .map(WirePacket::of)
                    .toList();
        }

        @Override
        public void close() {
            capture.close();
            pair.close();
        }
    }
}

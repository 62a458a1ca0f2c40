// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.FENCE;
import static io.verbs4j.types.SendFlags.INLINE;
import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.SendFlags.SOLICITED;
import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every byte that a post writes, and every byte that it does not change, for each kind of work request.
class SendWqeTest {
    private static final long WR_ID = 0x1122334455667788L;
    private static final long LOCAL = 0x7f0012345678L;
    private static final long REMOTE = 0x7eff87654320L;
    private static final int LKEY = 0xdead01;
    private static final int RKEY = 0xbeef02;
    private static final int IMMEDIATE = 0x01020304;
    private static final int FLAGS = SIGNALED | SOLICITED | FENCE;

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {RDMA_WRITE, RDMA_READ, SEND})
    void transferOfOneBuffer(int opcode) {
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(opcode)
                        .remote(REMOTE, RKEY), LOCAL, 4711, LKEY),
                before -> Wqe.send(before, opcode, WR_ID, FLAGS)
                        .remote(REMOTE, RKEY)
                        .sendElement(LOCAL, 4711, LKEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_IMMEDIATE})
    void immediateDataGoesInNetworkOrder(int opcode) {
        assertPosted(
                QueuePairType.UC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(opcode)
                        .immediateDataOrKey(IMMEDIATE)
                        .remote(REMOTE, RKEY), LOCAL, 1,
                        LKEY),
                before -> Wqe.send(before, opcode, WR_ID, FLAGS)
                        .remote(REMOTE, RKEY)
                        .immediate(IMMEDIATE)
                        .sendElement(LOCAL, 1, LKEY));
    }

    @Test
    void keyToInvalidateGoesInTheProcessorsOrder() {
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, 0).operation(SEND_WITH_INVALIDATE).immediateDataOrKey(RKEY),
                        LOCAL, 8, LKEY),
                before -> Wqe.send(before, SEND_WITH_INVALIDATE, WR_ID, 0)
                        .remote(0, 0)
                        .invalidate(RKEY)
                        .sendElement(LOCAL, 8, LKEY));
    }

    @Test
    void emptyTransferHasNoElement() {
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS).operation(SEND), LOCAL, 0, LKEY),
                before -> Wqe.send(before, SEND, WR_ID, FLAGS).remote(0, 0));
    }

    @Test
    void transferOfAList() {
        var list = new ScatterGatherList().add(LOCAL, 10, LKEY).add(LOCAL + 4096, 0, LKEY + 1).add(1, 77, 2);
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS).operation(RDMA_READ).remote(REMOTE, RKEY), list),
                before -> Wqe.send(before, RDMA_READ, WR_ID, FLAGS)
                        .remote(REMOTE, RKEY)
                        .sendElement(LOCAL, 10, LKEY)
                        .sendElement(LOCAL + 4096, 0, LKEY + 1)
                        .sendElement(1, 77, 2));
    }

    @Test
    void transferOfTheLongestList() {
        var list = new ScatterGatherList();
        for (int i = 0; i < Rings.MAX_SGE; i++) {
            list.add(LOCAL + i, i, i);
        }
        assertPosted(
                QueuePairType.UC,
                ring -> ring.post(SendRequest.of(WR_ID, 0).operation(SEND_WITH_IMMEDIATE).immediateDataOrKey(-1), list),
                before -> {
                    Wqe wqe = Wqe.send(before, SEND_WITH_IMMEDIATE, WR_ID, 0).remote(0, 0).immediate(-1);
                    for (int i = 0; i < Rings.MAX_SGE; i++) {
                        wqe.sendElement(LOCAL + i, i, i);
                    }
                    return wqe;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 100, Rings.MAX_INLINE})
    void inlineTransferOfAHeapArray(int length) {
        byte[] payload = payload(length);
        byte[] source = new byte[length + 3];
        System.arraycopy(payload, 0, source, 3, length);
        assertPosted(
                QueuePairType.RC,
                ring -> ring.postInline(
                        SendRequest.of(WR_ID, FLAGS)
                                .operation(RDMA_WRITE_WITH_IMMEDIATE)
                                .immediateDataOrKey(IMMEDIATE)
                                .remote(REMOTE, RKEY),
                        MemorySegment.ofArray(source), 3, length),
                before -> Wqe.send(before, RDMA_WRITE_WITH_IMMEDIATE, WR_ID, FLAGS | INLINE)
                        .remote(REMOTE, RKEY)
                        .immediate(IMMEDIATE)
                        .inline(payload));
    }

    @Test
    void inlineTransferOfNativeMemory() {
        byte[] payload = payload(64);
        MemorySegment source = rings.arena().allocate(64).copyFrom(MemorySegment.ofArray(payload));
        assertPosted(
                QueuePairType.RC,
                ring -> ring.postInline(
                        SendRequest.of(WR_ID, 0).operation(SEND_WITH_INVALIDATE).immediateDataOrKey(RKEY), source, 0,
                        64),
                before -> Wqe.send(before, SEND_WITH_INVALIDATE, WR_ID, INLINE)
                        .remote(0, 0)
                        .invalidate(RKEY)
                        .inline(payload));
    }

    @Test
    void datagramOfOneBuffer() {
        assertPosted(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(SEND_WITH_IMMEDIATE)
                        .immediateDataOrKey(IMMEDIATE)
                        .to(rings.handle(9), 0xffffff, -2), LOCAL, 1024, LKEY),
                before -> Wqe.send(before, SEND_WITH_IMMEDIATE, WR_ID, FLAGS)
                        .datagram(0xffffff, -2, 9)
                        .immediate(IMMEDIATE)
                        .sendElement(LOCAL, 1024, LKEY));
    }

    @Test
    void emptyDatagram() {
        assertPosted(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS).operation(SEND).to(rings.handle(1), 17, 5), LOCAL, 0,
                        LKEY),
                before -> Wqe.send(before, SEND, WR_ID, FLAGS).datagram(17, 5, 1));
    }

    @Test
    void datagramOfAList() {
        var list = new ScatterGatherList().add(LOCAL, 10, LKEY).add(LOCAL + 4096, 20, LKEY + 1);
        assertPosted(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS).operation(SEND).to(rings.handle(32767), 17, 5), list),
                before -> Wqe.send(before, SEND, WR_ID, FLAGS)
                        .datagram(17, 5, 32767)
                        .sendElement(LOCAL, 10, LKEY)
                        .sendElement(LOCAL + 4096, 20, LKEY + 1));
    }

    @Test
    void inlineDatagram() {
        byte[] payload = payload(33);
        assertPosted(
                QueuePairType.UD,
                ring -> ring.postInline(
                        SendRequest.of(WR_ID, FLAGS)
                                .operation(SEND_WITH_IMMEDIATE)
                                .immediateDataOrKey(IMMEDIATE)
                                .to(rings.handle(2), 17, 5),
                        MemorySegment.ofArray(payload), 0, 33),
                before -> Wqe.send(before, SEND_WITH_IMMEDIATE, WR_ID, FLAGS | INLINE)
                        .datagram(17, 5, 2)
                        .immediate(IMMEDIATE)
                        .inline(payload));
    }

    @ParameterizedTest
    @ValueSource(ints = {COMPARE_AND_SWAP, FETCH_AND_ADD})
    void atomic(int opcode) {
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(opcode)
                        .remote(REMOTE, RKEY)
                        .operands(Long.MIN_VALUE, 42), LOCAL,
                        Long.BYTES, LKEY),
                before -> Wqe.send(before, opcode, WR_ID, FLAGS)
                        .atomic(REMOTE, RKEY, Long.MIN_VALUE, 42)
                        .sendElement(LOCAL, 8, LKEY));
    }

    @Test
    void atomicWrite() {
        long value = 0x0102030405060708L;
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(
                        SendRequest.of(WR_ID, FLAGS)
                                .operation(WorkRequestOpcode.ATOMIC_WRITE)
                                .remote(REMOTE, RKEY)
                                .operands(value, 0)),
                before -> Wqe.send(before, ATOMIC_WRITE, WR_ID, FLAGS)
                        .remote(REMOTE, RKEY)
                        .inline(ByteBuffer.allocate(8)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putLong(value)
                                .array()));
    }

    @Test
    void flush() {
        assertPosted(
                QueuePairType.RC,
                ring -> ring
                        .post(SendRequest.of(WR_ID, FLAGS)
                                .operation(WorkRequestOpcode.FLUSH)
                                .remote(REMOTE, RKEY)
                                .flush(12345, 2, 1)),
                before -> Wqe.send(before, FLUSH, WR_ID, FLAGS).flush(REMOTE, 12345, RKEY, 2, 1));
    }

    @Test
    void localInvalidate() {
        assertPosted(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(WorkRequestOpcode.LOCAL_INVALIDATE)
                        .immediateDataOrKey(RKEY)),
                before -> Wqe.send(before, LOCAL_INVALIDATE, WR_ID, FLAGS).invalidate(RKEY));
    }

    @Test
    void bindMemoryWindow() {
        assertPosted(
                QueuePairType.UC,
                ring -> ring.post(SendRequest.of(WR_ID, FLAGS)
                        .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                        .immediateDataOrKey(0x8000_0011)
                        .window(0x8000_0012, LKEY, LOCAL, 1L << 40)
                        .access(0x1f)),
                before -> Wqe.send(before, BIND_MEMORY_WINDOW, WR_ID, FLAGS)
                        .window(LOCAL, 1L << 40, LKEY, 0x8000_0011, 0x8000_0012, 0x1f));
    }

    /// Posts into the last slot before the wrap and compares the whole slot, for any previous contents.
    private void assertPosted(QueuePairType type, ToIntFunction<SendRing> post, Function<byte[], Wqe> expected) {
        for (int seed = 0; seed < 3; seed++) {
            FakeRing fake = rings.sendMemory(4, 3);
            byte[] before = fake.bytes(3);
            if (seed != 0) {
                new Random(seed).nextBytes(before);
                fake.scribble(3, before);
            }
            SendRing ring = rings.send(fake, type);
            ring.begin();
            assertThat(post.applyAsInt(ring)).isEqualTo(PostResult.POSTED);
            assertThat(fake.waiting()).isZero();
            assertThat(ring.publish()).isEqualTo(1);
            assertThat(fake.waiting()).isEqualTo(1);
            assertThat(fake.producer()).isZero();
            assertThat(fake.head()).isEqualTo(3);
            assertThat(fake.bytes(3)).isEqualTo(expected.apply(before).bytes());
            for (int slot = 0; slot < 3; slot++) {
                assertThat(fake.bytes(slot)).containsOnly(FakeRing.DIRT);
            }
        }
    }

    private static byte[] payload(int length) {
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) (i * 7 + 1);
        }
        return payload;
    }
}

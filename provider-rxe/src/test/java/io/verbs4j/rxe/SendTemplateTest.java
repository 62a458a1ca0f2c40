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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every byte that a post of a prepared work request writes, before and after its fields were changed, and what may not
/// be changed.
class SendTemplateTest {
    private static final long LOCAL = 0x7f0012345678L;
    private static final long REMOTE = 0x7eff87654320L;
    private static final int LKEY = 0xdead01;
    private static final int RKEY = 0xbeef02;

    private final Rings rings = new Rings();
    private FakeRing fake = rings.sendMemory(4, 3);
    private SendRing ring = rings.send(fake, QueuePairType.RC);

    @AfterEach
    void close() {
        rings.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {RDMA_WRITE, RDMA_READ, SEND})
    void isPostedAsItWasEncoded(int opcode) {
        var template =
                ring.prepare(ops -> ops.post(SendRequest.of(1, SIGNALED | FENCE).oneSided(opcode, 0, REMOTE, RKEY),
                        LOCAL, 4711, LKEY));
        UnaryOperator<Wqe> expected = wqe -> wqe.remote(REMOTE, RKEY).sendElement(LOCAL, 4711, LKEY);
        assertPosted(template, opcode, 1, SIGNALED | FENCE, expected);
        assertPosted(template, opcode, 1, SIGNALED | FENCE, expected);
    }

    @Test
    void leavesTheRingAloneUntilItIsPosted() {
        byte[] before = fake.bytes(3);
        var template = write();
        template.workRequestId(5);
        assertThat(ring.publish()).isZero();
        assertThat(fake.bytes(3)).isEqualTo(before);
        assertThat(fake.bytes(0)).containsOnly(FakeRing.DIRT);
    }

    @Test
    void takesIdentifierFlagsBufferAndRemoteMemory() {
        var template = write();
        template.workRequestId(-2);
        template.flags(SOLICITED);
        template.local(LOCAL + 64, 100, LKEY + 1);
        template.remote(REMOTE + 8, RKEY + 1);
        assertPosted(
                template,
                RDMA_WRITE,
                -2,
                SOLICITED,
                wqe -> wqe.remote(REMOTE + 8, RKEY + 1).sendElement(LOCAL + 64, 100, LKEY + 1));
    }

    @Test
    void hasNoElementForAnEmptyBuffer() {
        var template = write();
        template.local(LOCAL, 0, LKEY);
        // The element stays in its place, but it says to the kernel that there is none.
        byte[] slot = post(template);
        assertThat(ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).getInt(184)).isZero();
        assertThat(ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).getInt(196)).isZero();
        template.local(LOCAL, 7, LKEY);
        assertPosted(
                template, RDMA_WRITE, 1, SIGNALED, wqe -> wqe.remote(REMOTE, RKEY).sendElement(LOCAL, 7, LKEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_IMMEDIATE})
    void takesImmediateDataInNetworkOrder(int opcode) {
        var template =
                ring.prepare(ops -> ops.post(SendRequest.of(1, 0).oneSided(opcode, 1, REMOTE, RKEY), LOCAL, 8, LKEY));
        template.immediateDataOrKey(0x01020304);
        assertPosted(
                template,
                opcode,
                1,
                0,
                wqe -> wqe.remote(REMOTE, RKEY).immediate(0x01020304).sendElement(LOCAL, 8, LKEY));
    }

    @Test
    void takesKeysToInvalidateInTheProcessorsOrder() {
        var send = ring.prepare(ops -> ops.post(SendRequest.of(1, 0).message(SEND_WITH_INVALIDATE, 1), LOCAL, 8, LKEY));
        send.immediateDataOrKey(RKEY);
        assertPosted(
                send, SEND_WITH_INVALIDATE, 1, 0, wqe -> wqe.remote(0, 0).invalidate(RKEY).sendElement(LOCAL, 8, LKEY));
        var local = ring.prepare(ops -> ops.post(SendRequest.of(2, 0).message(WorkRequestOpcode.LOCAL_INVALIDATE, 1)));
        local.immediateDataOrKey(RKEY);
        assertPosted(local, LOCAL_INVALIDATE, 2, 0, wqe -> wqe.invalidate(RKEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {COMPARE_AND_SWAP, FETCH_AND_ADD})
    void takesOperandsOfAtomics(int opcode) {
        var template = ring.prepare(
                ops -> ops.post(SendRequest.of(1, 0).atomic(opcode, REMOTE, RKEY, 1, 2), LOCAL, Long.BYTES, LKEY));
        template.operands(Long.MIN_VALUE, -1);
        template.local(LOCAL + 8, 8, LKEY + 1);
        template.remote(REMOTE + 16, RKEY + 1);
        assertPosted(
                template,
                opcode,
                1,
                0,
                wqe -> wqe.atomic(REMOTE + 16, RKEY + 1, Long.MIN_VALUE, -1).sendElement(LOCAL + 8, 8, LKEY + 1));
    }

    @Test
    void takesTheValueOfAnAtomicWrite() {
        var template = ring.prepare(ops -> ops
                .post(SendRequest.of(1, SIGNALED).atomic(WorkRequestOpcode.ATOMIC_WRITE, REMOTE, RKEY, 2, 0)));
        template.value(0x0102030405060708L);
        template.remote(REMOTE + 8, RKEY + 1);
        assertPosted(
                template,
                ATOMIC_WRITE,
                1,
                SIGNALED,
                wqe -> wqe.remote(REMOTE + 8, RKEY + 1).inline(new byte[]{8, 7, 6, 5, 4, 3, 2, 1}));
    }

    @Test
    void takesTheRangeOfAFlush() {
        var template = ring.prepare(
                ops -> ops.post(SendRequest.of(1, 0).flush(WorkRequestOpcode.FLUSH, REMOTE, 12345, RKEY, 1, 0)));
        template.remote(REMOTE + 4096, RKEY + 1);
        assertPosted(template, FLUSH, 1, 0, wqe -> wqe.flush(REMOTE + 4096, 12345, RKEY + 1, 1, 0));
    }

    @Test
    void bindsAWindow() {
        var template = ring.prepare(ops -> ops.post(SendRequest.of(1, 0)
                .bind(WorkRequestOpcode.BIND_MEMORY_WINDOW, 0x11, 0x12, LKEY, LOCAL, 1L << 40, 0x1f)));
        assertPosted(
                template, BIND_MEMORY_WINDOW, 1, 0, wqe -> wqe.window(LOCAL, 1L << 40, LKEY, 0x11, 0x12, 0x1f));
    }

    @Test
    void hasListsUpToTheLongest() {
        var list = new ScatterGatherList();
        for (int i = 0; i < Rings.MAX_SGE; i++) {
            list.add(LOCAL + i, i, i);
        }
        var template = ring.prepare(ops -> ops.post(SendRequest.of(1, 0).oneSided(RDMA_READ, 0, REMOTE, RKEY), list));
        template.remote(REMOTE + 1, RKEY);
        assertPosted(template, RDMA_READ, 1, 0, wqe -> {
            wqe.remote(REMOTE + 1, RKEY);
            for (int i = 0; i < Rings.MAX_SGE; i++) {
                wqe.sendElement(LOCAL + i, i, i);
            }
            return wqe;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 100, Rings.MAX_INLINE})
    void takesInlinePayloadsOfAnyLength(int length) {
        var template = ring.prepare(ops -> ops.postInline(SendRequest.of(1, SIGNALED).message(SEND, 0),
                MemorySegment.ofArray(new byte[16]), 0, 16));
        byte[] source = payload(length + 3);
        template.inline(MemorySegment.ofArray(source), 3, length);
        byte[] expected = new byte[Math.max(length, 0)];
        System.arraycopy(source, 3, expected, 0, length);
        assertPosted(template, SEND, 1, SIGNALED | INLINE, wqe -> wqe.remote(0, 0).inline(expected));
        template.flags(FENCE);
        assertPosted(template, SEND, 1, FENCE | INLINE, wqe -> wqe.remote(0, 0).inline(expected));
    }

    @Test
    void goesToTheDestinationOfEachPost() {
        use(QueuePairType.UD);
        var first = rings.handle(9);
        var template = ring.prepare(ops -> ops
                .post(SendRequest.of(1, 0).message(SEND_WITH_IMMEDIATE, 42).to(first, 17, 5), LOCAL, Rings.MTU, LKEY));
        byte[] before = before();
        assertThat(ring.postDatagram(template, new SendRequest().to(rings.handle(10), 0xffffff, -2)))
                .isEqualTo(PostResult.POSTED);
        ring.publish();
        assertThat(fake.take())
                .isEqualTo(Wqe.send(Wqe.cleared(before), SEND_WITH_IMMEDIATE, 1, 0)
                        .datagram(0xffffff, -2, 10)
                        .immediate(42)
                        .sendElement(LOCAL, Rings.MTU, LKEY)
                        .bytes());
        assertThatIllegalStateException().isThrownBy(() -> ring.post(template)).withMessageContaining("destination");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.postDatagram(template,
                        new SendRequest().to(rings.handle(Rings.DOMAIN + 1, 3), 17, 5)))
                .withMessageContaining("domain");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.postDatagram(template, new SendRequest().to(first, 1 << 24, 5)))
                .withMessageContaining("24 bits");
    }

    @Test
    void isNoLongerThanTheMtuAtThePost() {
        use(QueuePairType.UD);
        var handle = rings.handle(9);
        var template = ring
                .prepare(ops -> ops.post(SendRequest.of(1, 0).message(SEND, 0).to(handle, 17, 5), LOCAL, 1000, LKEY));
        ring.limitDatagrams(999);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.postDatagram(template, new SendRequest().to(handle, 17, 5)))
                .withMessageContaining("length=1000 is not in 0..999");
        template.local(LOCAL, 999, LKEY);
        assertThat(ring.postDatagram(template, new SendRequest().to(handle, 17, 5))).isEqualTo(PostResult.POSTED);
    }

    @Test
    void isRefusedByOtherQueues() {
        var template = write();
        SendRing other = rings.send(rings.sendMemory(4, 0), QueuePairType.RC);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.post(template))
                .withMessageContaining("another queue");
        assertThat(other.publish()).isZero();
    }

    @Test
    void isMadeOfOneWorkRequest() {
        assertThatIllegalStateException().isThrownBy(() -> ring.prepare(ops -> {}));
        Consumer<SendQueueOps> two = ops -> {
            ops.post(SendRequest.of(1, 0).message(WorkRequestOpcode.LOCAL_INVALIDATE, 1));
            assertThat(ops.post(SendRequest.of(2, 0).message(WorkRequestOpcode.LOCAL_INVALIDATE, 1)))
                    .isEqualTo(PostResult.QUEUE_FULL);
        };
        assertThat(ring.prepare(two)).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring
                        .prepare(ops -> ops.post(SendRequest.of(1, INLINE).message(SEND, 0), LOCAL, 1, LKEY)));
    }

    @Test
    void isNotPostedToAFullQueue() {
        var template = write();
        for (int i = 0; i < ring.capacity(); i++) {
            assertThat(ring.post(template)).isEqualTo(PostResult.POSTED);
        }
        assertThat(ring.post(template)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(ring.publish()).isEqualTo(3);
        fake.take();
        assertThat(ring.post(template)).isEqualTo(PostResult.POSTED);
    }

    @Test
    void refusesFieldsThatItsOperationDoesNotHave() {
        var send = ring.prepare(ops -> ops.post(SendRequest.of(1, 0).message(SEND, 0), LOCAL, 8, LKEY));
        var inline = ring.prepare(
                ops -> ops.postInline(SendRequest.of(1, 0).oneSided(RDMA_WRITE, 0, REMOTE, RKEY),
                        MemorySegment.ofArray(new byte[1]), 0, 1));
        var flush = ring
                .prepare(ops -> ops.post(SendRequest.of(1, 0).flush(WorkRequestOpcode.FLUSH, REMOTE, 1, RKEY, 1, 0)));
        var invalidate =
                ring.prepare(ops -> ops.post(SendRequest.of(1, 0).message(WorkRequestOpcode.LOCAL_INVALIDATE, 1)));
        refuses("SEND has no remote memory", () -> send.remote(REMOTE, RKEY));
        refuses("SEND has no immediate data", () -> send.immediateDataOrKey(1));
        refuses("SEND has no operands", () -> send.operands(1, 2));
        refuses("SEND has no value", () -> send.value(1));
        refuses("SEND has no inline payload", () -> send.inline(MemorySegment.ofArray(new byte[1]), 0, 1));
        refuses("RDMA_WRITE has no buffer", () -> inline.local(LOCAL, 1, LKEY));
        refuses("FLUSH has no buffer", () -> flush.local(LOCAL, 1, LKEY));
        refuses("LOCAL_INVALIDATE has no buffer", () -> invalidate.local(LOCAL, 1, LKEY));
        refuses("LOCAL_INVALIDATE has no remote memory", () -> invalidate.remote(REMOTE, RKEY));
        assertPosted(send, SEND, 1, 0, wqe -> wqe.remote(0, 0).sendElement(LOCAL, 8, LKEY));
    }

    @Test
    void refusesValuesThatTheKernelWouldTakeUnchecked() {
        var write = write();
        var inline = ring.prepare(
                ops -> ops.postInline(SendRequest.of(1, 0).message(SEND, 0), MemorySegment.ofArray(new byte[1]), 0, 1));
        var atomic = ring.prepare(ops -> ops.post(SendRequest.of(1, 0).atomic(FETCH_AND_ADD, REMOTE, RKEY, 1, 2), LOCAL,
                Long.BYTES, LKEY));
        var atomicWrite = ring.prepare(ops -> ops
                .post(SendRequest.of(1, SIGNALED).atomic(WorkRequestOpcode.ATOMIC_WRITE, REMOTE, RKEY, 2, 0)));
        var source = MemorySegment.ofArray(new byte[Rings.MAX_INLINE + 1]);
        assertThatIllegalArgumentException().isThrownBy(() -> write.flags(INLINE));
        assertThatIllegalArgumentException().isThrownBy(() -> write.local(LOCAL, -1, LKEY));
        assertThatIllegalArgumentException().isThrownBy(() -> inline.inline(source, 0, Rings.MAX_INLINE + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> inline.inline(source, Rings.MAX_INLINE, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> atomic.local(LOCAL, 4, LKEY));
        assertThatIllegalArgumentException().isThrownBy(() -> atomic.remote(REMOTE + 4, RKEY));
        assertThatIllegalArgumentException().isThrownBy(() -> atomicWrite.remote(REMOTE + 4, RKEY));
        assertPosted(
                write, RDMA_WRITE, 1, SIGNALED, wqe -> wqe.remote(REMOTE, RKEY).sendElement(LOCAL, 4711, LKEY));
    }

    private static void refuses(String message, Runnable change) {
        assertThatIllegalStateException().isThrownBy(change::run).withMessageContaining(message);
    }

    private SendTemplate write() {
        return ring.prepare(
                ops -> ops.post(SendRequest.of(1, SIGNALED).oneSided(RDMA_WRITE, 0, REMOTE, RKEY), LOCAL, 4711, LKEY));
    }

    private void use(QueuePairType type) {
        fake = rings.sendMemory(4, 3);
        ring = rings.send(fake, type);
    }

    /// Fills the next slot with what is nobody's.
    private byte[] before() {
        byte[] before = new byte[fake.stride()];
        new Random(fake.head()).nextBytes(before);
        fake.scribble(fake.head(), before);
        return before;
    }

    private byte[] post(SendTemplate template) {
        before();
        assertThat(ring.post(template)).isEqualTo(PostResult.POSTED);
        assertThat(fake.waiting()).isZero();
        assertThat(ring.publish()).isEqualTo(1);
        return fake.take();
    }

    private void assertPosted(
            SendTemplate template, int opcode, long workRequestId, int flags, UnaryOperator<Wqe> operation) {
        byte[] before = before();
        assertThat(post(template))
                .isEqualTo(operation
                        .apply(Wqe.send(Wqe.cleared(before), opcode, workRequestId, flags))
                        .bytes());
    }

    private static byte[] payload(int length) {
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        return payload;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.types.PostResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Checks each field of a completion and of a send request, sets of opcodes, and a ring against a model of its three
/// counts.
class WordsTest {
    private static List<Long> fields(Completion completion) {
        return List.of(
                completion.workRequestId(), (long) completion.status(), (long) completion.opcode(),
                (long) completion.vendorError(), (long) completion.byteLength(),
                (long) completion.immediateDataOrKey(), (long) completion.queuePairNumber(),
                (long) completion.sourceQueuePair(), (long) completion.flags(), (long) completion.pkeyIndex(),
                (long) completion.sourceLid(), (long) completion.serviceLevel(), (long) completion.pathBits());
    }

    @Test
    void aCompletionHasTheFieldsThatWereSet() {
        var completion = new Completion();
        assertThat(fields(completion)).containsOnly(0L).hasSize(13);
        completion.set(-1, -2, -3, -4, -5, -6);
        assertThat(fields(completion)).containsExactly(-1L, -2L, -3L, -4L, -5L, 0L, -6L, 0L, 0L, 0L, 0L, 0L, 0L);
        completion.carried(Completion.WITH_IMMEDIATE, 0x01020304);
        assertThat(fields(completion))
                .containsExactly(-1L, -2L, -3L, -4L, -5L, 0x01020304L, -6L, 0L, 2L, 0L, 0L, 0L, 0L);
        completion.carried(Completion.GRH | Completion.WITH_INVALIDATE, 0x05060708);
        assertThat(fields(completion))
                .containsExactly(-1L, -2L, -3L, -4L, -5L, 0x05060708L, -6L, 0L, 5L, 0L, 0L, 0L, 0L);
        completion.path(-7, 0xfffe, 0xfffd, 0xfc, 0xfb);
        assertThat(fields(completion)).containsExactly(
                -1L, -2L, -3L, -4L, -5L, 0x05060708L, -6L, -7L, 5L, 0xfffeL, 0xfffdL, 0xfcL, 0xfbL);
        var copy = new Completion();
        copy.set(completion);
        assertThat(fields(copy)).isEqualTo(fields(completion));
    }

    /// `struct ib_uverbs_wc`, include/uapi/rdma/ib_user_verbs.h, with immediate data in network order.
    @Test
    void aCompletionIsReadFromTheKernelsWords() {
        var completion = new Completion();
        completion.words(
                0x1111_1111_1111_1111L, 0x2222_2222_3333_3333L, 0x4444_4444_5555_5555L, 0x6666_6666_0102_0304L,
                0x0000_0002_7777_7777L, 0x0000_0a09_8888_9999L);
        assertThat(fields(completion)).containsExactly(
                0x1111_1111_1111_1111L, 0x3333_3333L, 0x2222_2222L, 0x5555_5555L, 0x4444_4444L, 0x0403_0201L,
                0x6666_6666L, 0x7777_7777L, 2L, 0x9999L, 0x8888L, 9L, 10L);
    }

    private static List<Object> fields(SendRequest request) {
        return List.of(
                request.workRequestId(), request.flags(), request.opcode(), request.immediateDataOrKey(),
                request.remoteAddress(), request.remoteKey(), request.remoteQueuePair(), request.remoteQkey(),
                request.operand(), request.swap(), request.flushLength(), request.flushType(), request.flushLevel(),
                request.newKey(), request.regionKey(), request.windowAddress(), request.windowLength(),
                request.windowAccess(), request.addressHandle() == null);
    }

    @Test
    void aRequestHasTheFieldsThatWereSetAndSoHasItsCopy() {
        List<Object> none = fields(new SendRequest());
        SendRequest request = SendRequest.of(1, 2)
                .operation(3)
                .immediateDataOrKey(4)
                .remote(5, 6)
                .to(null, 7, 8)
                .operands(9, 10)
                .flush(11, 12, 13)
                .window(14, 15, 16, 17)
                .access(18);
        assertThat(fields(request)).containsExactly(
                1L, 2, 3, 4, 5L, 6, 7, 8, 9L, 10L, 11, 12, 13, 14, 15, 16L, 17L, 18, true);
        assertThat(fields(new SendRequest().set(request))).isEqualTo(fields(request));
        assertThat(fields(request.set(new SendRequest()))).isEqualTo(none).startsWith(0L, 0, 0, 0, 0L);
    }

    @Test
    void aSetHasOpcodesFrom0To31() {
        int set = OpcodeSet.of(0, 5, 31);
        for (int opcode = 0; opcode < 32; opcode++) {
            assertThat(OpcodeSet.has(set, opcode)).isEqualTo(opcode == 0 || opcode == 5 || opcode == 31);
        }
        assertThat(OpcodeSet.of()).isZero();
        for (int opcode : new int[]{-1, -32, 32, 37, 63}) {
            assertThat(OpcodeSet.has(-1, opcode)).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> OpcodeSet.of(opcode))
                    .withMessage("opcode=" + opcode + " is not in 0..31");
        }
    }

    /// A ring whose device consumes the number of slots that a test sets.
    private static final class Ring extends ProducerRing {
        private static final int MASK = 7;
        private static final int CAPACITY = 6;

        private int taking;
        private int reads;
        private final List<Integer> revealed = new ArrayList<>();
        private final List<Integer> oldest = new ArrayList<>();

        Ring(int next, int outstanding) {
            super(MemorySegment.NULL, MASK, CAPACITY, next, outstanding);
        }

        @Override
        protected long slot(int slot) {
            return 100 + slot;
        }

        @Override
        protected int taken(int first, int outstanding) {
            reads++;
            oldest.add(first);
            return taking;
        }

        @Override
        protected void reveal(int first, int count) {
            revealed.add(first);
            revealed.add(count);
        }
    }

    @Test
    void aRingCountsOutstandingPendingAndFreeSlots() {
        var random = new Random(7);
        for (int walk = 0; walk < 50; walk++) {
            int next = random.nextInt(8);
            int outstanding = random.nextInt(Ring.CAPACITY + 1);
            var ring = new Ring(next, outstanding);
            assertThat(ring.capacity()).isEqualTo(6);
            int batch = 0;
            int known = outstanding; // published and not known to be taken
            for (int step = 0; step < 100; step++) {
                int free = Ring.CAPACITY - known - batch;
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        ring.taking = random.nextInt(-1, known + 3);
                        int reads = ring.reads;
                        long slot = ring.claim();
                        assertThat(ring.reads).isEqualTo(reads + (free == 0 ? 1 : 0));
                        if (free == 0) {
                            assertThat(ring.oldest.getLast()).isEqualTo((next - batch - known) & Ring.MASK);
                            boolean valid = ring.taking > 0 && ring.taking <= known;
                            known -= valid ? ring.taking : 0;
                            free += valid ? ring.taking : 0;
                        }
                        assertThat(slot).isEqualTo(free == 0 ? ProducerRing.FULL : 100 + next);
                        if (free > 0) {
                            assertThat(ring.posted()).isEqualTo(PostResult.POSTED);
                            next = (next + 1) & Ring.MASK;
                            batch++;
                        }
                    }
                    case 2 -> {
                        ring.revealed.clear();
                        assertThat(ring.publish()).isEqualTo(batch);
                        assertThat(ring.revealed).isEqualTo(
                                batch == 0 ? List.of() : List.of((next - batch) & Ring.MASK, batch));
                        known += batch;
                        batch = 0;
                    }
                    case 3 -> {
                        ring.abandon();
                        next = (next - batch) & Ring.MASK;
                        batch = 0;
                    }
                    default -> {
                        next = (next - batch) & Ring.MASK;
                        batch = 0;
                        ring.taking = random.nextInt(-1, known + 3);
                        int reads = ring.reads;
                        ring.begin();
                        boolean looks = Ring.CAPACITY - known <= 3;
                        assertThat(ring.reads).isEqualTo(reads + (looks ? 1 : 0));
                        known -= looks && ring.taking > 0 && ring.taking <= known ? ring.taking : 0;
                    }
                }
                assertThat(ring.pending()).isEqualTo(batch);
            }
        }
    }

    @Test
    void aVacatedRingThrows() {
        var ring = new Ring(0, 0);
        ring.begin();
        ring.claim();
        ring.posted();
        ring.vacate("it is gone");
        assertThat(ring.pending()).isZero();
        for (Runnable call : List.<Runnable>of(ring::claim, ring::publish, ring::begin)) {
            assertThatIllegalStateException().isThrownBy(call::run).withMessage("it is gone");
        }
        assertThat(ring.revealed).isEmpty();
        assertThat(ring.reads).isZero();
    }
}

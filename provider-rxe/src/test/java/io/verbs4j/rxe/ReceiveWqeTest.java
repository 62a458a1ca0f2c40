// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every byte that a receive writes, and the receives that it rejects.
class ReceiveWqeTest {
    private static final long WR_ID = -2;
    private static final long ADDRESS = 0x7f0012345678L;
    private static final int LKEY = 0xdead01;

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void receiveWithOneBuffer() {
        assertPosted(
                ring -> ring.receive(WR_ID, ADDRESS, Integer.MAX_VALUE, LKEY),
                before -> Wqe.receive(before, WR_ID).receiveElement(ADDRESS, Integer.MAX_VALUE, LKEY));
    }

    @Test
    void receiveWithoutBuffer() {
        assertPosted(ring -> ring.receive(WR_ID, ADDRESS, 0, LKEY), before -> Wqe.receive(before, WR_ID));
    }

    @Test
    void receiveWithTheLongestList() {
        var list = new ScatterGatherList();
        for (int i = 0; i < Rings.MAX_SGE; i++) {
            list.add(ADDRESS + i, i * 3, LKEY + i);
        }
        assertPosted(ring -> ring.receive(WR_ID, list), before -> {
            Wqe wqe = Wqe.receive(before, WR_ID);
            for (int i = 0; i < Rings.MAX_SGE; i++) {
                wqe.receiveElement(ADDRESS + i, i * 3, LKEY + i);
            }
            return wqe;
        });
    }

    @Test
    void listMayHoldTwoGibibytesAndNoMore() {
        ReceiveRing ring = rings.receive(rings.receiveMemory(4, 0));
        var list = new ScatterGatherList().add(ADDRESS, Integer.MAX_VALUE, LKEY).add(ADDRESS, 1, LKEY);
        assertThat(ring.receive(WR_ID, list)).isEqualTo(PostResult.POSTED);
        list.add(ADDRESS, 1, LKEY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.receive(WR_ID, list))
                .withMessage("length=2147483649 is not in 0..2147483648");
    }

    @Test
    void refusesMoreElementsThanTheQueueHas() {
        FakeRing fake = rings.receiveMemory(4, 0);
        ReceiveRing ring = rings.receive(fake);
        var list = new ScatterGatherList();
        for (int i = 0; i <= Rings.MAX_SGE; i++) {
            list.add(ADDRESS, 1, LKEY);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.receive(WR_ID, list))
                .withMessage("elements=33 exceeds maxScatterGather=32");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.receive(WR_ID, ADDRESS, -1, LKEY))
                .withMessage("length=-1 is not in 0..2147483648");
        assertThat(ring.publish()).isZero();
        assertThat(fake.bytes(0)).containsOnly(FakeRing.DIRT);
    }

    @Test
    void queueWithoutElementsTakesEmptyReceivesOnly() {
        FakeRing fake = rings.memory(4, 6, 0);
        var ring = new ReceiveRing(fake.memory(), 0, "receive queue");
        assertThat(ring.receive(WR_ID, 0, 0, 0)).isEqualTo(PostResult.POSTED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.receive(WR_ID, ADDRESS, 1, LKEY))
                .withMessage("elements=1 exceeds maxScatterGather=0");
    }

    private void assertPosted(ToIntFunction<ReceiveRing> post, Function<byte[], Wqe> expected) {
        FakeRing fake = rings.receiveMemory(2, 1);
        byte[] before = fake.bytes(1);
        ReceiveRing ring = rings.receive(fake);
        ring.begin();
        assertThat(post.applyAsInt(ring)).isEqualTo(PostResult.POSTED);
        assertThat(fake.waiting()).isZero();
        assertThat(ring.publish()).isEqualTo(1);
        assertThat(fake.waiting()).isEqualTo(1);
        assertThat(fake.bytes(1)).isEqualTo(expected.apply(before).bytes());
        assertThat(fake.bytes(0)).containsOnly(FakeRing.DIRT);
    }
}

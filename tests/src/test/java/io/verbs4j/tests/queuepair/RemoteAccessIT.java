// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RDMA writes, RDMA reads and atomics over the wire.
@AnyDevice
@DeviceTest
@Covers("ibv_post_send")
@Needs.EachKernel
class RemoteAccessIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire().memory(1 << 20).connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write")
    @ValueSource(ints = {1, 7, 1023, 1024, 1025, 4097, 65_537, 1 << 20})
    @Covers({"ibv_wr_rdma_write", "ibv_wr_set_sge"})
    void writesEveryByte(int length) {
        TestBytes.fill(left.bytes(0, length), length);
        left.post(batch -> batch.signaled()
                .workRequestId(9)
                .write()
                .local(left.memory(), 0, length)
                .remote(remote)
                .post());

        CompletionRecord completion = left.completions().nextSuccess();
        assertThat(completion.workRequestId()).isEqualTo(9);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
        assertThat(completion.byteLength()).isEqualTo(Wire.bytesOfASend(length));
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(0, length), length);
        right.completions().assertNone();
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_read")
    @ValueSource(ints = {1, 7, 1023, 1024, 1025, 4097, 65_537, 1 << 20})
    @Covers({"ibv_wr_rdma_read", "ibv_wr_set_sge"})
    void readsEveryByte(int length) {
        TestBytes.fill(right.bytes(0, length), length);
        left.post(batch -> batch.signaled()
                .workRequestId(9)
                .read()
                .local(left.memory(), 0, length)
                .remote(remote)
                .post());

        CompletionRecord completion = left.completions().nextSuccess();
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
        assertThat(completion.byteLength()).isEqualTo(length);
        TestBytes.assertHolds(left.bytes(0, length), length);
        right.completions().assertNone();
    }

    @Test
    @Covers({"ibv_wr_rdma_write", "ibv_wr_rdma_read", "ibv_wr_rdma_write_imm", "ibv_wr_send", "ibv_wr_send_imm"})
    @NotOverSiw("one buffer in a read")
    void takesPartsOfRegionsInOneOperation() {
        var memory = left.memory();
        TestBytes.fill(left.bytes(0, 100), 1);
        left.post(
                batch -> batch.write()
                        .local(memory.slice(0, 60), memory.slice(60, 40))
                        .remote(remote.slice(5000, 100))
                        .post(),
                batch -> batch.signaled()
                        .read()
                        .local(memory.slice(9000, 30), memory.slice(9030, 70))
                        .remote(remote.slice(5000, 100))
                        .post());
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(5000, 100), 1);
        TestBytes.assertHolds(left.bytes(9000, 100), 1);

        right.postReceives(batch -> batch.workRequestId(1)
                .receive(right.memory().slice(20_000, 60), right.memory().slice(20_060, 40)));
        left.post(batch -> batch.signaled()
                .send()
                .immediate(7)
                .local(memory.slice(0, 60), memory.slice(60, 40))
                .post());
        assertThat(right.completions().nextSuccess().immediateData()).isEqualTo(7);
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(20_000, 100), 1);

        right.receiveNothing(1);
        left.post(batch -> batch.signaled()
                .write()
                .immediate(8)
                .local(memory.slice(0, 60), memory.slice(60, 40))
                .remote(remote.slice(30_000, 100))
                .post());
        assertThat(right.completions().nextSuccess().immediateData()).isEqualTo(8);
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(30_000, 100), 1);

        var list = memory.slice(60, 40).addTo(memory.slice(0, 60).addTo(new ScatterGatherList()));
        left.post(batch -> batch.signaled().write().local(list).remote(remote, 40_000).post());
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(40_000, 100), 1);
        assertThatThrownBy(() -> {
            try (var batch = left.queuePair().beginSend()) {
                batch.write().local(memory.slice(0, 60), memory.slice(60, 40)).remote(remote.slice(0, 99)).post();
            }
        }).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void writesAndReadsSlices() {
        TestBytes.fill(left.bytes(5000, 300), 1);
        left.post(batch -> batch.write()
                .local(left.memory().slice(5000, 300))
                .remote(remote.slice(100_000, 300))
                .post());
        left.post(batch -> batch.signaled()
                .read()
                .local(left.memory().slice(70_001, 300))
                .remote(remote.slice(100_000, 300))
                .post());

        assertThat(left.completions().nextSuccess().opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
        TestBytes.assertHolds(right.bytes(100_000, 300), 1);
        TestBytes.assertHolds(left.bytes(70_001, 300), 1);
    }

    @Test
    @Scenario({
            "test_qpex.QpExTestCase.test_qp_ex_rc_rdma_read_zero_size",
            "test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_zero_length",
            "test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_zero_size"
    })
    void writesNothingAndReadsNothing() {
        left.post(
                batch -> batch.signaled().write().local(left.memory(), 0, 0).remote(remote).post(),
                batch -> batch.signaled().read().local(left.memory(), 0, 0).remote(remote).post());
        assertThat(left.completions().nextSuccesses(2))
                .extracting(CompletionRecord::byteLength)
                .containsExactly(0, 0);
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_imm")
    @ValueSource(ints = {0, 10, 3000})
    @Covers({"ibv_wr_rdma_write_imm", "ibv_wc_read_imm_data"})
    @NotOverSiw("iWARP has no immediate data")
    void announcesAWriteToThePeerByImmediateData(int length) {
        TestBytes.fill(left.bytes(0, length), 2);
        right.receive(7, 0, 0);
        left.post(batch -> batch.signaled()
                .write()
                .immediate(0xcafe)
                .local(left.memory(), 0, length)
                .remote(remote, 64)
                .post());

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(7);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(received.immediateDataOrKey()).isEqualTo(0xcafe);
        assertThat(received.byteLength()).isEqualTo(length);
        TestBytes.assertHolds(right.bytes(64, length), 2);
        assertThat(left.completions().nextSuccess().opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
    }

    @Test
    @Covers({"ibv_wr_rdma_write", "ibv_wr_set_inline_data"})
    @NotOverSiw("iWARP has no immediate data")
    void writesCopiesOfHeapArrays() {
        right.receive(1, 0, 0);
        left.post(
                batch -> batch.write().inline(MemorySegment.ofArray(TestBytes.of(3, 50))).remote(remote).post(),
                batch -> batch.write()
                        .immediate(5)
                        .inline(MemorySegment.ofArray(TestBytes.of(4, 50)))
                        .remote(remote, 50)
                        .post());

        assertThat(right.completions().nextSuccess().immediateDataOrKey()).isEqualTo(5);
        TestBytes.assertHolds(right.bytes(0, 50), 3);
        TestBytes.assertHolds(right.bytes(50, 50), 4);
    }

    @Test
    @Covers("ibv_wr_set_sge_list")
    @NotOverSiw("one buffer in a read")
    void gathersWritesAndScattersReads() {
        TestBytes.fill(left.bytes(0, 300), 5);
        var pieces = new ScatterGatherList()
                .add(left.memory().address(), 100, left.memory().localKey())
                .add(left.memory().address() + 100, 150, left.memory().localKey())
                .add(left.memory().address() + 250, 50, left.memory().localKey());
        left.post(batch -> batch.write().local(pieces).remote(remote, 1000).post());

        pieces.clear()
                .add(left.memory().address() + 8000, 7, left.memory().localKey())
                .add(left.memory().address() + 8007, 293, left.memory().localKey());
        left.post(batch -> batch.signaled().read().local(pieces).remote(remote, 1000).post());

        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(1000, 300), 5);
        TestBytes.assertHolds(left.bytes(8000, 300), 5);
    }

    @Test
    @Scenario({
            "test_atomic.AtomicTest.test_atomic_fetch_and_add",
            "test_qpex.QpExTestCase.test_qp_ex_rc_atomic_fetch_add"
    })
    @Covers("ibv_wr_atomic_fetch_add")
    @NotOverSiw("no atomics")
    void addsAndReturnsTheFormerValue() {
        right.bytes(64, 8).set(ValueLayout.JAVA_LONG, 0, 1L << 40);
        left.post(batch -> batch.signaled()
                .fetchAndAdd(5)
                .local(left.memory(), 8, Long.BYTES)
                .remote(remote, 64)
                .post());

        CompletionRecord completion = left.completions().nextSuccess();
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.FETCH_AND_ADD);
        assertThat(completion.byteLength()).isEqualTo(8);
        assertThat(left.bytes(8, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1L << 40);
        assertThat(right.bytes(64, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo((1L << 40) + 5);
    }

    @Test
    @NotOverSiw("no atomics")
    void addsNegativeNumbers() {
        left.post(batch -> batch.signaled().fetchAndAdd(-3).local(left.memory(), 0, Long.BYTES).remote(remote).post());
        left.completions().nextSuccess();
        assertThat(right.bytes(0, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-3);
    }

    @Test
    @Scenario({
            "test_atomic.AtomicTest.test_atomic_cmp_and_swap",
            "test_qpex.QpExTestCase.test_qp_ex_rc_atomic_cmp_swp"
    })
    @Covers("ibv_wr_atomic_cmp_swp")
    @NotOverSiw("no atomics")
    void swapsOnlyWhatItExpected() {
        left.post(batch -> batch.signaled()
                .compareAndSwap(0, 111)
                .local(left.memory(), 0, Long.BYTES)
                .remote(remote)
                .post());
        left.post(batch -> batch.signaled()
                .compareAndSwap(0, 222)
                .local(left.memory(), 8, Long.BYTES)
                .remote(remote)
                .post());

        assertThat(left.completions().nextSuccesses(2))
                .extracting(CompletionRecord::opcode)
                .containsOnly(CompletionOpcode.COMPARE_AND_SWAP);
        assertThat(left.bytes(0, 16).toArray(ValueLayout.JAVA_LONG)).containsExactly(0, 111);
        assertThat(right.bytes(0, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(111);
    }

    @Test
    @NotOverSiw("no atomics")
    void countsExactlyFromBothEndsAtOnce() {
        // The responder runs atomics of all its queue pairs one after the other.
        for (int i = 0; i < 50; i++) {
            left.post(batch -> batch.signaled()
                    .fetchAndAdd(1)
                    .local(left.memory(), 0, Long.BYTES)
                    .remote(remote, 512)
                    .post());
        }
        left.completions().nextSuccesses(50);
        assertThat(right.bytes(512, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(50);
        assertThat(left.bytes(0, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(49);
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_non_aligned_addr")
    @NotOverSiw("no atomics")
    void refusesAtomicsOnCrookedAddresses() {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.fetchAndAdd(1).local(left.memory(), 0, Long.BYTES).remote(remote, 4).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a multiple of 8");
        }
    }

    @Test
    void fencesAWriteBehindARead() {
        TestBytes.fill(right.bytes(0, 50_000), 6);
        TestBytes.fill(left.bytes(0, 50_000), 7);
        left.post(
                batch -> batch.read().local(left.memory(), 100_000, 50_000).remote(remote).post(),
                batch -> batch.signaled()
                        .fence()
                        .write()
                        .local(left.memory(), 100_000, 50_000)
                        .remote(remote, 200_000)
                        .post());

        left.completions().nextSuccess();
        TestBytes.assertHolds(left.bytes(100_000, 50_000), 6);
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(200_000, 50_000), 6);
    }

    @Test
    void readsManyTimesMoreThanTheResponderTakesAtOnce() {
        TestBytes.fill(right.bytes(0, 64 * 100), 8);
        var reads = new End.Send[100];
        for (int i = 0; i < reads.length; i++) {
            long at = 64L * i;
            reads[i] = batch -> batch.signaled().read().local(left.memory(), at, 64).remote(remote, at).post();
        }
        left.post(reads);

        left.completions().nextSuccesses(100);
        TestBytes.assertHolds(left.bytes(0, 64 * 100), 8);
    }

    @Test
    void staysWithinTheMemoriesThatItWasGiven() {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.write().local(left.memory(), 0, 100).remote(remote.slice(0, 50)).post())
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("exceeds the remote memory of 50 bytes");
            assertThatThrownBy(() -> batch.read().local(left.memory(), 1 << 20, 1).remote(remote).post())
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("exceeds memory region");
            assertThatThrownBy(() -> batch.fetchAndAdd(1)
                    .local(left.memory(), 0, Long.BYTES)
                    .remote(remote, remote.length() - 4)
                    .post())
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> batch.write().local(left.memory(), -8, 8).remote(remote).post())
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(batch.submit()).isZero();
        }
    }
}

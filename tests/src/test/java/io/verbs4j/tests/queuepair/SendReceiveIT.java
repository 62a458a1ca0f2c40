// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages from one end of the wire to the other.
@AnyDevice
@DeviceTest
@Covers({"ibv_post_send", "ibv_post_recv"})
@Needs.EachKernel
class SendReceiveIT {
    private final ConnectedPair pair =
            ConnectedPair.onTheWire()
                    .memory(1 << 20)
                    .both(builder -> builder.maxInlineData(Wire.isSiw() ? 80 : 512))
                    .connect();
    private final End left = pair.left();
    private final End right = pair.right();

    @AfterEach
    void close() {
        pair.close();
    }

    /// Around the borders of a byte, an inline buffer, a packet (1024 bytes on this wire), a page, and many packets.
    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_send")
    @ValueSource(ints = {1, 2, 3, 255, 511, 1023, 1024, 1025, 4095, 4096, 4097, 65_536, 100_001, 1 << 20})
    @Covers({"ibv_wr_send", "ibv_wr_set_sge", "ibv_wc_read_byte_len"})
    void carriesEveryByteOfAMessage(int length) {
        TestBytes.fill(left.bytes(0, length), length);
        right.receive(1, 0, length);
        left.send(2, 0, length);

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(1);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
        assertThat(received.byteLength()).isEqualTo(length);
        assertThat(received.queuePairNumber()).isEqualTo(right.queuePair().number());
        assertThat(received.hasImmediateData()).isFalse();
        TestBytes.assertHolds(right.bytes(0, length), length);

        CompletionRecord sent = left.completions().nextSuccess();
        assertThat(sent.workRequestId()).isEqualTo(2);
        assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
        assertThat(sent.byteLength()).isEqualTo(Wire.bytesOfASend(length));
    }

    @Test
    void writesNothingBehindAShortMessage() {
        TestBytes.fill(left.bytes(0, 100), 1);
        TestBytes.fill(right.bytes(0, 4096), 2);
        right.receive(1, 0, 4096);
        left.send(1, 0, 100);

        assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(100);
        TestBytes.assertHolds(right.bytes(0, 100), 1);
        assertThat(right.bytes(100, 3996).mismatch(MemorySegment.ofArray(TestBytes.of(2, 4096)).asSlice(100)))
                .isEqualTo(-1);
    }

    @Test
    void carriesNothingInAnEmptyMessage() {
        right.receive(1, 0, 0);
        left.send(2, 0, 0);

        assertThat(right.completions().nextSuccess().byteLength()).isZero();
        assertThat(left.completions().nextSuccess().byteLength()).isZero();
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_send_imm")
    @ValueSource(ints = {0, 1, -1, 0x01020304, Integer.MIN_VALUE})
    @Covers({"ibv_wr_send_imm", "ibv_wc_read_imm_data", "ibv_wc_read_wc_flags"})
    @NotOverSiw("iWARP has no immediate data")
    void carriesImmediateData(int number) {
        TestBytes.fill(left.bytes(0, 10), 3);
        right.receive(1, 0, 10);
        left.post(batch -> batch.signaled().send().immediate(number).local(left.memory(), 0, 10).post());

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.hasImmediateData()).isTrue();
        assertThat(received.immediateDataOrKey()).isEqualTo(number);
        assertThat(received.byteLength()).isEqualTo(10);
        TestBytes.assertHolds(right.bytes(0, 10), 3);
        assertThat(left.completions().nextSuccess().opcode()).isEqualTo(CompletionOpcode.SEND);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 512})
    @Covers("ibv_wr_set_inline_data")
    @NotOverSiw("80 bytes inline at most")
    void carriesACopyOfAHeapArray(int length) {
        byte[] array = TestBytes.of(4, length);
        right.receive(1, 0, length);
        left.post(batch -> {
            boolean posted = batch.signaled().send().inline(MemorySegment.ofArray(array)).post();
            Arrays.fill(array, (byte) 0); // too late to be sent
            return posted;
        });

        right.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(0, length), 4);
    }

    @Test
    @Covers("ibv_wr_set_inline_data")
    void carriesACopyOfPartOfUnregisteredMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(100);
            TestBytes.fill(source.asSlice(30, 40), 5);
            right.receive(1, 0, 40);
            left.post(batch -> batch.signaled().send().inline(source, 30, 40).post());
        }
        right.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(0, 40), 5);
    }

    @Test
    @NotOverSiw("iWARP has no immediate data")
    void carriesACopyOfArraysOfEveryKind() {
        right.receive(1, 0, 64);
        right.receive(2, 64, 64);
        left.post(
                batch -> batch.send().inline(MemorySegment.ofArray(new long[]{0x0102030405060708L})).post(),
                batch -> batch.send().immediate(17).inline(MemorySegment.ofArray(new int[]{1, 2, 3})).post());

        assertThat(right.completions().nextSuccesses(2))
                .extracting(CompletionRecord::byteLength)
                .containsExactly(8, 12);
        assertThat(right.bytes(0, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x0102030405060708L);
        assertThat(right.bytes(64, 12).toArray(ValueLayout.JAVA_INT)).containsExactly(1, 2, 3);
    }

    @Test
    @Covers("ibv_wr_set_sge_list")
    @NotOverSiw("6 buffers at most")
    void gathersAndScattersUpToTheLimit() {
        try (
                var wide = ConnectedPair.onTheWire()
                        .both(builder -> builder.maxSendScatterGather(32).maxReceiveScatterGather(32))
                        .connect()) {
            // 32 pieces of different lengths, with gaps, cut differently on the two sides.
            var gathered = new ScatterGatherList();
            var scattered = new ScatterGatherList();
            byte[] expected = TestBytes.of(6, 32 * 33 / 2);
            int sent = 0;
            for (int i = 0; i < 32; i++) {
                gathered.add(wide.left().memory().address() + 1000L * i, i + 1, wide.left().memory().localKey());
                wide.left().bytes(1000L * i, i + 1).copyFrom(MemorySegment.ofArray(expected).asSlice(sent, i + 1));
                scattered.add(wide.right().memory().address() + 500L * i, 32 - i, wide.right().memory().localKey());
                sent += i + 1;
            }
            wide.right().postReceives(batch -> batch.receive(scattered));
            wide.left().post(batch -> batch.signaled().send().local(gathered).post());

            assertThat(wide.right().completions().nextSuccess().byteLength()).isEqualTo(expected.length);
            int received = 0;
            for (int i = 0; i < 32; i++) {
                TestBytes.assertSame(
                        wide.right().bytes(500L * i, 32 - i),
                        Arrays.copyOfRange(expected, received, received + 32 - i));
                received += 32 - i;
            }
        }
    }

    @Test
    @NotOverSiw("iWARP has no immediate data")
    void arrivesInOrder() {
        for (int id = 0; id < 100; id++) {
            right.receive(id, 8L * id, 8);
        }
        var sends = new End.Send[100];
        for (int id = 0; id < sends.length; id++) {
            byte[] payload = TestBytes.of(id, 8);
            int number = id;
            sends[id] = batch -> batch.signaled()
                    .workRequestId(1000 + number)
                    .send()
                    .immediate(number)
                    .inline(MemorySegment.ofArray(payload))
                    .post();
        }
        left.post(sends);

        assertThat(left.completions().nextSuccesses(100))
                .extracting(CompletionRecord::workRequestId)
                .isEqualTo(LongStream.range(1000, 1100).boxed().toList());
        assertThat(right.completions().nextSuccesses(100))
                .allMatch(completion -> completion.workRequestId() == completion.immediateDataOrKey());
        for (int id = 0; id < 100; id++) {
            TestBytes.assertHolds(right.bytes(8L * id, 8), id);
        }
    }

    @Test
    void goesBothWaysAtOnce() {
        left.receiveNothing(50);
        right.receiveNothing(50);
        for (int i = 0; i < 50; i++) {
            left.post(batch -> batch.send().local(left.memory(), 0, 0).post());
            right.post(batch -> batch.send().local(right.memory(), 0, 0).post());
        }
        left.completions().nextSuccesses(50);
        right.completions().nextSuccesses(50);
    }

    @Test
    @NotOverSiw("a send that meets no receive ends the connection")
    void waitsForAPeerThatPostsItsReceiveLate() {
        left.send(1, 0, 64);
        left.completions().assertNone();
        right.receive(2, 0, 64);

        left.completions().nextSuccess();
        right.completions().nextSuccess();
    }
}

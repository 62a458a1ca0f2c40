// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.GidSelector;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Unreliable connections: what arrives arrives whole, and what does not is never mentioned.
@DeviceTest
@AlsoOverMlx5
@Covers({"ibv_create_qp", "ibv_modify_qp", "ibv_post_send", "ibv_post_recv", "ibv_poll_cq"})
@Needs.EachKernel
class UnreliableConnectionIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .transport(QueuePairType.UC)
            .memory(1 << 20)
            .both(builder -> builder.maxInlineData(256).maxReceives(16))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @Scenario({
            "test_qp.QPTest.test_create_uc_qp_ex_with_attr",
            "test_qp.QPTest.test_create_uc_qp_with_attr"
    })
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 65_536, 1 << 20})
    void carriesEveryByteOfAMessage(int length) {
        TestBytes.fill(left.bytes(0, length), length);
        right.receive(1, 0, length);
        left.send(2, 0, length);

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(1);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
        assertThat(received.byteLength()).isEqualTo(length);
        TestBytes.assertHolds(right.bytes(0, length), length);
        CompletionRecord sent = left.completions().nextSuccess();
        assertThat(sent.workRequestId()).isEqualTo(2);
        assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
    }

    @Test
    void carriesMessagesBetweenQueuePairsOfOneDevice() {
        try (
                var local = ConnectedPair.onOneDevice()
                        .transport(QueuePairType.UC)
                        .connect()) {
            exchange(local);
        }
    }

    @Test
    void carriesMessagesOverIpv6() {
        try (
                var ipv6 = ConnectedPair.onTheWire()
                        .transport(QueuePairType.UC)
                        .both(builder -> builder.gid(GidSelector.index(0)))
                        .connect()) {
            exchange(ipv6);
        }
    }

    private static void exchange(ConnectedPair pair) {
        TestBytes.fill(pair.left().bytes(0, 5000), 1);
        pair.right().receive(1, 0, 5000);
        pair.left().send(2, 0, 5000);
        pair.right().completions().nextSuccess();
        TestBytes.assertHolds(pair.right().bytes(0, 5000), 1);
        pair.left().receive(3, 8192, 5000);
        pair.right().send(4, 0, 5000);
        // Nothing answers a send, so that its completion may come behind what the peer sends later.
        assertThat(pair.left().completions().nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId)
                .containsExactlyInAnyOrder(2L, 3L);
        TestBytes.assertHolds(pair.left().bytes(8192, 5000), 1);
    }

    @Test
    void carriesImmediateDataAndInlineData() {
        right.receive(1, 0, 64);
        right.receive(2, 64, 64);
        left.post(
                batch -> batch.signaled().send().immediate(0x01020304).local(left.memory(), 0, 10).post(),
                batch -> batch.signaled()
                        .send()
                        .immediate(-1)
                        .inline(MemorySegment.ofArray(TestBytes.of(5, 64)))
                        .post());

        var received = right.completions().nextSuccesses(2);
        assertThat(received).allMatch(CompletionRecord::hasImmediateData);
        assertThat(received).extracting(CompletionRecord::immediateDataOrKey).containsExactly(0x01020304, -1);
        TestBytes.assertHolds(right.bytes(64, 64), 5);
        left.completions().nextSuccesses(2);
    }

    @Test
    void gathersAndScatters() {
        byte[] message = TestBytes.of(6, 2500);
        left.bytes(0, 2500).copyFrom(MemorySegment.ofArray(message));
        long from = left.memory().address();
        long to = right.memory().address();
        int fromKey = left.memory().localKey();
        int toKey = right.memory().localKey();
        var gathered = new ScatterGatherList()
                .add(from, 700, fromKey)
                .add(from + 700, 1, fromKey)
                .add(from + 701, 1799, fromKey);
        var scattered = new ScatterGatherList().add(to, 1025, toKey).add(to + 4096, 1475, toKey);
        right.postReceives(batch -> batch.receive(scattered));
        left.post(batch -> batch.signaled().send().local(gathered).post());

        assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(2500);
        TestBytes.assertSame(right.bytes(0, 1025), Arrays.copyOf(message, 1025));
        TestBytes.assertSame(right.bytes(4096, 1475), Arrays.copyOfRange(message, 1025, 2500));
    }

    @Test
    void writesToThePeersMemory() {
        TestBytes.fill(left.bytes(0, 10_000), 7);
        right.receive(9, 0, 0);
        left.post(
                batch -> batch.signaled().write().local(left.memory(), 0, 9000).remote(remote, 100).post(),
                batch -> batch.signaled()
                        .write()
                        .inline(left.bytes(9000, 200))
                        .remote(remote, 9100)
                        .post(),
                batch -> batch.signaled()
                        .write()
                        .immediate(77)
                        .local(left.memory(), 9200, 800)
                        .remote(remote, 9300)
                        .post());

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(9);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(received.immediateDataOrKey()).isEqualTo(77);
        assertThat(received.byteLength()).isEqualTo(800);
        TestBytes.assertHolds(right.bytes(100, 10_000), 7);
        assertThat(left.completions().nextSuccesses(3))
                .extracting(CompletionRecord::opcode)
                .containsOnly(CompletionOpcode.RDMA_WRITE);
    }

    @Test
    void losesWhatFindsNoReceiveWithoutAWord() {
        left.send(1, 0, 3000);
        left.completions().nextSuccess();
        TestBytes.fill(left.bytes(0, 3000), 8);
        right.receive(2, 0, 3000);
        left.send(3, 0, 3000);

        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(3);
        assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(2);
        TestBytes.assertHolds(right.bytes(0, 3000), 8);
        right.completions().assertNone();
    }

    @Test
    void losesAWriteThatThePeerDoesNotPermitWithoutAWord() {
        left.post(batch -> batch.signaled()
                .write()
                .local(left.memory(), 0, 8)
                .remote(new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500))
                .post());
        left.completions().nextSuccess();
        TestBytes.fill(left.bytes(0, 8), 9);
        left.post(batch -> batch.signaled().write().local(left.memory(), 0, 8).remote(remote, 64).post());
        left.completions().nextSuccess();

        Eventually.until(
                () -> right.bytes(64, 8).mismatch(left.bytes(0, 8)) < 0, () -> "the permitted write has not arrived");
        assertThat(right.bytes(0, 8).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(stateOf(right)).isEqualTo(QueuePairState.RTS);
        assertThat(stateOf(left)).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void messageLongerThanTheReceiveBufferEndsTheReceiverAlone() {
        right.receive(1, 0, 10);
        left.send(2, 0, 11);

        left.completions().nextSuccess();
        assertThat(right.completions().next().status()).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
        // Rxe reports the completion before it changes the state.
        Eventually.until(
                () -> stateOf(right) == QueuePairState.ERR,
                () -> "the receiver's queue pair is not in the error state");
        assertThat(stateOf(left)).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void doesNotNoticeThatThePeerIsGone() {
        right.close();
        left.send(1, 0, 100);

        left.completions().nextSuccess();
        assertThat(stateOf(left)).isEqualTo(QueuePairState.RTS);
    }

    @Test
    @NotOverMlx5("keys are invalidated by the card itself, on any connection")
    void refusesWhatNeedsAnAnswer() {
        Map<String, End.Send> operations = Map.of(
                "RDMA_READ", batch -> batch.read().local(left.memory(), 0, 8).remote(remote).post(),
                "COMPARE_AND_SWAP", batch -> batch.compareAndSwap(1, 2)
                        .local(left.memory(), 0, Long.BYTES)
                        .remote(remote)
                        .post(),
                "FETCH_AND_ADD", batch -> batch.fetchAndAdd(1)
                        .local(left.memory(), 0, Long.BYTES)
                        .remote(remote)
                        .post(),
                "SEND_WITH_INVALIDATE", batch -> batch.send().invalidating(1).local(left.memory(), 0, 8).post(),
                "ATOMIC_WRITE", batch -> batch.atomicWrite(1).remote(remote).post(),
                "FLUSH", batch -> batch.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE).remote(remote).post(),
                "LOCAL_INVALIDATE", batch -> batch.invalidate(remote.remoteKey()).post());

        operations.forEach((name, operation) -> assertThatThrownBy(() -> left.post(operation))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("opcode=" + name + " cannot be posted to a queue pair of type UC by this method"));
        assertThat(stateOf(left)).isEqualTo(QueuePairState.RTS);
        right.receive(1, 0, 8);
        left.send(2, 0, 8);
        right.completions().nextSuccess();
        left.completions().nextSuccess();
    }

    /// Nobody waits for a receiver that is not ready.
    @Test
    void refusesAttributesOfReliability() {
        try (
                var other = left.domain().unreliableConnection(left.queue()).prepare()) {
            var connected = other.connect(right.endpoint());
            connected.modify(state(QueuePairState.SQD).build());
            Eventually.until(() -> !connected.query().sendQueueDraining(), connected::toString);
            assertThatThrownBy(() -> connected.modify(state(QueuePairState.RTS).minRnrTimer(3).build()))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "UC SQD → RTS", "does not allow [MIN_RNR_TIMER]");
            connected.close();
        }
    }

    private static QueuePairAttributes.Builder state(QueuePairState state) {
        return QueuePairAttributes.builder().state(state);
    }

    private static QueuePairState stateOf(End end) {
        return end.queuePair().query(QueuePairAttribute.STATE).state();
    }
}

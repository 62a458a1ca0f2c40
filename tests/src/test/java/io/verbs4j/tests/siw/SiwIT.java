// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.MemoryWindow;
import io.verbs4j.RemoteMemory;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests what siw alone does or does not, between its two devices. The tests for any device ([AnyDevice]) run over siw,
/// too.
@DeviceTest
@Siw.Test
@Needs.OneKernel
class SiwIT {
    /// Longer than any test.
    private static final Duration NEVER = Duration.ofDays(1);

    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .memory(1 << 20)
            .withChannels()
            .both(builder -> builder.maxSends(16).maxReceives(16).maxInlineData(80))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    /// Lists that would stop the machine if the kernel saw their empty buffers.
    @Test
    void carriesListsWithEmptyBuffers() {
        TestBytes.fill(left.bytes(0, 300), 5);
        LocalMemory memory = left.memory().local();
        left.post(batch -> batch.signaled()
                .write()
                .local(memory.slice(0, 50), memory.slice(50, 0), memory.slice(50, 250))
                .remote(remote.slice(0, 300))
                .post());
        left.completions().nextSuccess();
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(0, 300), 5);

        right.receive(1, 1000, 300);
        left.post(batch -> batch.signaled()
                .send()
                .local(memory.slice(0, 0), memory.slice(0, 300), memory.slice(300, 0))
                .post());
        assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(300);
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(1000, 300), 5);
    }

    @Test
    void invalidatesAKeyOfThePeersWithoutReportToItsOwner() {
        var region = right.domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        left.post(batch -> batch.signaled().write().local(left.memory(), 0, 8).remote(region.remote()).post());
        left.completions().nextSuccess();
        left.settle(remote); // the key is good for that
        right.receive(1, 0, 8);
        left.post(batch -> batch.signaled().send().invalidating(region.remoteKey()).local(left.memory(), 0, 8).post());
        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.byteLength()).isEqualTo(8);
        // siw_rqe_complete (siw_qp.c) reports the key to users in the kernel only.
        assertThat(received.hasInvalidatedKey()).isFalse();
        left.completions().nextSuccess();
        // From now on the key opens nothing, and its use ends the connection.
        left.post(batch -> batch.signaled().write().local(left.memory(), 0, 8).remote(region.remote()).post());
        Eventually.until(
                () -> left.connection().disconnected().isDone(), () -> "the peer ends the connection: " + left);
    }

    @Test
    void fillsAndEmptiesItsRingsManyTimes() {
        int capacity = left.queuePair().capabilities().maxSendWorkRequests();
        assertThat(capacity).isGreaterThanOrEqualTo(16);
        for (int round = 0; round < 5; round++) {
            try (var batch = left.queuePair().beginSend()) {
                for (int i = 0; i < capacity; i++) {
                    assertThat(batch.signaled()
                            .workRequestId(i)
                            .write()
                            .local(left.memory(), 0, 8)
                            .remote(remote)
                            .post()).isTrue();
                }
                assertThat(batch.write().local(left.memory(), 0, 8).remote(remote).post()).as("room").isFalse();
                assertThat(batch.submit()).isEqualTo(capacity);
            }
            assertThat(left.completions().nextSuccesses(capacity))
                    .extracting(CompletionRecord::workRequestId)
                    .isEqualTo(LongStream.range(0, capacity).boxed().toList());
        }
    }

    @Test
    void raisesAnEventForACompletion() throws InterruptedException {
        right.queue().requestNotification(false);
        right.completions().assertNone();
        right.receive(1, 0, 8);
        left.post(batch -> batch.signaled().solicited().send().local(left.memory(), 0, 8).post());
        assertThat(right.channel().take(Duration.ofSeconds(60))).isSameAs(right.queue());
        right.completions().nextSuccess();
        left.completions().nextSuccess();
    }

    @Test
    void takesReceivesOfASharedQueue() throws Exception {
        var shared = right.domain().createSharedReceiveQueue(16, 1);
        var options = right.options(builder -> builder.sharedReceiveQueue(shared));
        InetSocketAddress address = Siw.right();
        try (shared; var server = RdmaServer.listen(address, options)) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, left.options(builder -> builder));
                    var accepted = accepting.get(60, TimeUnit.SECONDS);
                    var receives = shared.beginReceive()) {
                for (int id = 10; id < 13; id++) {
                    assertThat(receives.workRequestId(id).receive(right.memory(), 0, 8)).isTrue();
                }
                assertThat(receives.submit()).isEqualTo(3);
                for (int i = 0; i < 3; i++) {
                    try (var sends = client.queuePair().beginSend()) {
                        assertThat(sends.signaled().send().local(left.memory(), 0, 8).post()).isTrue();
                        sends.submit();
                    }
                }
                assertThat(right.completions().nextSuccesses(3))
                        .allMatch(completion -> completion.queuePairNumber() == accepted.queuePair().number())
                        .extracting(CompletionRecord::workRequestId)
                        .containsExactly(10L, 11L, 12L);
                left.completions().nextSuccesses(3);
            }
        }
    }

    @Test
    void reportsItsState() throws Exception {
        assertThat(left.queuePair().state()).isEqualTo(QueuePairState.RTS);
        assertThat(right.queuePair().state()).isEqualTo(QueuePairState.RTS);
        assertThat(left.queuePair().query(QueuePairAttribute.STATE).state()).isEqualTo(QueuePairState.RTS);
        assertThat(right.queuePair().query(QueuePairAttribute.STATE).state()).isEqualTo(QueuePairState.RTS);
        left.connection().disconnect();
        right.connection().disconnected().get(60, TimeUnit.SECONDS);
        assertThat(left.queuePair().query(QueuePairAttribute.STATE).state()).isNotEqualTo(QueuePairState.RTS);
        assertThat(left.queuePair().state()).isNotIn(QueuePairState.RESET, QueuePairState.RTS);
    }

    @Test
    void flushesReceivesWhenTheConnectionEnds() throws Exception {
        right.receive(1, 0, 8);
        right.receive(2, 0, 8);
        left.connection().disconnect();
        right.connection().disconnected().get(60, TimeUnit.SECONDS);
        assertThat(right.completions().next(2))
                .extracting(CompletionRecord::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    void completesAsFlushedWhatIsPostedAfterTheEnd() throws Exception {
        left.connection().disconnect();
        right.connection().disconnected().get(60, TimeUnit.SECONDS);
        for (End end : new End[]{left, right}) {
            assertThat(end.queuePair().state()).isEqualTo(QueuePairState.ERR);
            for (int round = 0; round < 2 * end.queuePair().capabilities().maxSendWorkRequests(); round += 2) {
                end.send(round, 0, 8);
                end.receive(round + 1, 0, 8);
                assertThat(end.completions().next(2))
                        .allMatch(completion -> completion.queuePairNumber() == end.queuePair().number())
                        .allMatch(completion -> completion.status() == CompletionStatus.WORK_REQUEST_FLUSHED)
                        .extracting(CompletionRecord::workRequestId, CompletionRecord::opcode)
                        .containsExactlyInAnyOrder(
                                tuple((long) round, CompletionOpcode.SEND),
                                tuple(round + 1L, CompletionOpcode.RECEIVE));
            }
        }
    }

    /// verbs4j completes this work itself, and the kernel raises no event.
    @ParameterizedTest
    @EnumSource
    void wakesAThreadForWhatIsPostedAfterTheEnd(InThread kind) throws Exception {
        left.connection().disconnect();
        right.connection().disconnected().get(60, TimeUnit.SECONDS);
        var sent = kind.start(() -> left.queue().await(1, completion -> {}, NEVER));
        var received = kind.start(() -> right.queue().await(1, completion -> {}, NEVER));
        Thread.sleep(100); // long enough, as a rule, for the threads to fall asleep

        left.send(1, 0, 8);
        right.receive(2, 0, 8);

        assertThat(sent.result()).isEqualTo(1);
        assertThat(received.result()).isEqualTo(1);
    }

    @Test
    void endsTheConnectionIfASendMeetsNoReceive() {
        left.send(1, 0, 8);
        Eventually.until(
                () -> left.connection().disconnected().isDone(), () -> "the peer ends the connection: " + left);
        assertThat(left.completions().next().workRequestId()).isEqualTo(1);
    }

    @Test
    void saysWhatToDoInsteadOfWhatItDoesNotHave() {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.send().immediate(1).local(left.memory(), 0, 8).post())
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("iWARP");
            assertThatThrownBy(() -> batch.fetchAndAdd(1).local(left.memory(), 0, Long.BYTES).remote(remote).post())
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("siw has no atomics");
            assertThatThrownBy(() -> batch.invalidate(left.memory().localKey()).post())
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("deregister the region");
            assertThat(batch.submit()).isZero();
        }
        assertThatThrownBy(() -> left.domain().queuePair(QueuePairType.UD, left.queue()).create())
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("RC");
        assertThatThrownBy(() -> left.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_1))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("check Context.supports first");
        assertThatThrownBy(() -> left.domain().registerAt(left.memory().segment(), 0x4000, Access.LOCAL_WRITE))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("only the memory's own address");
        assertThatThrownBy(() -> left.queue().requestNotification(true))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("any completion");
        assertThatThrownBy(() -> left.queuePair()
                .modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build()))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("connection manager");
    }
}

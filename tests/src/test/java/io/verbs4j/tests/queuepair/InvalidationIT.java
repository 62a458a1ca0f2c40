// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryWindow;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys that are taken out of service, by us or by the peer. With windows that may be so: `MemoryWindowIT`.
@DeviceTest
@Needs.EachKernel
class InvalidationIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .access(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND)
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();

    @AfterEach
    void close() {
        pair.close();
    }

    /// A region of a process stays valid until it is deregistered. `rxe_invalidate_mr` (rxe_mr.c) accepts only regions
    /// that kernel users register by a work request.
    @Test
    @Covers("ibv_wr_local_inv")
    void doesNotWorkOnARegion() {
        left.post(batch -> batch.invalidate(left.memory().localKey()).post());
        assertThat(left.completions().next().status()).isEqualTo(localFailure());
    }

    @Test
    @Covers("ibv_wr_local_inv")
    void doesNotWorkOnAKeyThatNothingHas() {
        left.post(batch -> batch.invalidate(0x1234_5678).post());
        assertThat(left.completions().next().status()).isEqualTo(localFailure());
    }

    /// The sender's message counts as delivered, but the receiver's queue pair has failed (IBA vol. 1, 9.9.6.3, class
    /// J).
    @Test
    @Covers("ibv_wr_send_inv")
    void byThePeerEndsTheReceiverIfTheKeyIsARegions() {
        int key = right.memory().remoteKey();
        right.receive(1, 0, 64);
        left.post(batch -> batch.signaled().send().invalidating(key).local(left.memory(), 0, 8).post());

        CompletionRecord received = right.completions().next();
        assertThat(received.workRequestId()).isEqualTo(1);
        assertThat(received.status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);
        assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.SUCCESS);
        Eventually.until(() -> right.queuePair().query().state() == QueuePairState.ERR, right::toString);
    }

    /// The receiver looks at the key when its acknowledgement has gone out.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Covers("ibv_wr_send_inv")
    void byThePeerSucceedsForItWithAWrongKeyAndEndsTheReceiver(boolean ofType1) {
        int key = ofType1 ? bound(MemoryWindow.Type.TYPE_1).remoteKey() : 0x1234_5678;
        right.receive(1, 0, 64);
        left.post(batch -> batch.signaled().send().invalidating(key).local(left.memory(), 0, 8).post());
        assertThat(right.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);
        assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.SUCCESS);
        Eventually.until(() -> right.queuePair().query().state() == QueuePairState.ERR, right::toString);
    }

    /// `rxe_check_invalidate_mw` (rxe_mw.c) does not compare queue pairs (IBA vol. 1, 10.6.7.2.5: only the one that
    /// bound the window may).
    @Test
    @Covers("ibv_wr_local_inv")
    void worksThroughAnyQueuePairOnRxe() {
        var window = bound();
        var prepared = right.domain().reliableConnection(right.queue()).prepare();
        var stranger = prepared.connect(prepared.endpoint());
        stranger.post(new SendWorkRequest().invalidate(window.remoteKey()).signaled());
        assertThat(right.completions().nextSuccess().queuePairNumber()).isEqualTo(stranger.number());

        left.post(batch -> batch.read().local(left.memory(), 0, 8).remote(window.remote(right.memory(), 0, 64)).post());
        assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers({"ibv_wr_send_inv", "ibv_wc_read_invalidated_rkey"})
    void byThePeerCarriesMessagesOfAnyLength() {
        for (int length : new int[]{0, 1, 5000}) {
            var window = bound();
            right.receive(2, 0, 8192);
            left.queuePair()
                    .post(
                            new SendWorkRequest().send()
                                    .invalidating(window.remoteKey())
                                    .local(left.memory().slice(0, length))
                                    .signaled());
            CompletionRecord received = right.completions().nextSuccess();
            assertThat(received.byteLength()).isEqualTo(length);
            assertThat(received.immediateDataOrKey()).isEqualTo(window.remoteKey());
            assertThat(received.hasInvalidatedKey()).isTrue();
            left.completions().nextSuccess();
            window.close();
        }
    }

    @Test
    @Covers("ibv_wr_send_inv")
    void byThePeerCarriesListsAndCopies() {
        var window = new MemoryWindow[1];
        var heap = MemorySegment.ofArray(TestBytes.of(4, 40));
        TestBytes.fill(left.bytes(0, 100), 3);
        var list = new ScatterGatherList()
                .add(left.memory().address(), 60, left.memory().localKey())
                .add(left.memory().address() + 60, 40, left.memory().localKey());
        for (End.Send send : List.<End.Send>of(
                batch -> batch.send().invalidating(window[0].remoteKey()).local(list).post(),
                batch -> batch.send().invalidating(window[0].remoteKey()).inline(heap).post())) {
            window[0] = bound();
            right.receive(2, 0, 8192);
            left.post(send);
            CompletionRecord received = right.completions().nextSuccess();
            assertThat(received.immediateDataOrKey()).isEqualTo(window[0].remoteKey());
            TestBytes.assertHolds(right.bytes(0, received.byteLength()), received.byteLength() == 100 ? 3 : 4);
            window[0].close();
        }
    }

    @Test
    @Covers({"ibv_wr_bind_mw", "ibv_wr_local_inv"})
    void canBePostedAsAListWithBinds() {
        var window = right.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        var part = right.memory().slice(0, 64);
        int read = Access.mask(Access.REMOTE_READ);
        assertThat(right.queuePair()
                .post(
                        new SendWorkRequest().bind(window, read).local(part).workRequestId(1).signaled(),
                        new SendWorkRequest().invalidate((window.remoteKey() & ~0xff) | (window.remoteKey() + 1 & 0xff))
                                .workRequestId(2)
                                .signaled(),
                        new SendWorkRequest().bind(window, read).local(part).workRequestId(3).signaled()))
                .isEqualTo(3);
        assertThat(right.completions().nextSuccesses(3))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    @Covers({"ibv_wr_local_inv", "ibv_wr_send_inv", "ibv_wr_bind_mw"})
    void isForReliableConnectionsOnly() {
        var window = left.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        var prepared = left.domain().unreliableConnection(left.queue()).prepare();
        var unreliable = prepared.connect(prepared.endpoint());
        try (var batch = unreliable.beginSend()) {
            assertThatThrownBy(() -> batch.invalidate(1).post()).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> batch.send().invalidating(1).local(left.memory(), 0, 8).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("UC");
        }
        var datagram = left.domain().datagram(left.queue()).prepare().start();
        try (var batch = datagram.beginSend()) {
            assertThatThrownBy(() -> batch.invalidate(1).post()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> batch.bind(window, 0).local(left.memory(), 0, 8).post())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private MemoryWindow bound() {
        return bound(MemoryWindow.Type.TYPE_2);
    }

    private MemoryWindow bound(MemoryWindow.Type type) {
        var window = right.domain().allocateMemoryWindow(type);
        right.post(batch -> batch.signaled()
                .bind(window, Access.mask(Access.REMOTE_READ))
                .local(right.memory(), 0, 64)
                .post());
        right.completions().nextSuccess();
        return window;
    }

    private static CompletionStatus localFailure() {
        return Kernel.hidesLocalErrorsBehindFlushes()
                ? CompletionStatus.WORK_REQUEST_FLUSHED
                : CompletionStatus.LOCAL_QP_OPERATION_ERROR;
    }
}

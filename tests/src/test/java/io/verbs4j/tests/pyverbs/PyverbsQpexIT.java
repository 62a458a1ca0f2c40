// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static io.verbs4j.tests.pyverbs.Players.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.pyverbs.Players.Atomic;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ScatterGatherList;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// Each work request alone, as in `test_qpex.py`, and queues that refuse.
@PyverbsScenarios
@Covers({"ibv_wr_start", "ibv_wr_complete", "ibv_wr_set_sge"})
@Needs.OneKernel
class PyverbsQpexIT {
    private static final int IMMEDIATE = 1234;

    private static void exchangeMessages(Setup setup) {
        try (var players = Players.of(setup)) {
            players.exchangeMessages();
        }
    }

    @Test
    @Covers({"ibv_wr_send", "ibv_wr_set_ud_addr"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_ud_send")
    void sendsDatagrams() {
        exchangeMessages(Setup.ud());
    }

    @Test
    @Covers({"ibv_wr_send", "ibv_wr_set_ud_addr"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_ud_zero_size")
    void sendsEmptyDatagrams() {
        exchangeMessages(Setup.ud().messages(0));
    }

    @Test
    @Covers("ibv_wr_send")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_send")
    void sendsMessages() {
        exchangeMessages(Setup.rc());
    }

    private static void exchangeMessagesWithImmediateData(Setup setup) {
        try (var players = Players.of(setup)) {
            players.exchangeMessages(
                    (from, index) -> from.post(
                            index,
                            batch -> batch.send()
                                    .immediate(IMMEDIATE)
                                    .local(from.memory(), from.payloadOffset(), from.messageSize())
                                    .post()),
                    OptionalInt.of(IMMEDIATE));
        }
    }

    @Test
    @Covers({"ibv_wr_send_imm", "ibv_wr_set_ud_addr", "ibv_wc_read_imm_data"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_ud_send_imm")
    void sendsDatagramsWithImmediateData() {
        exchangeMessagesWithImmediateData(Setup.ud());
    }

    @Test
    @Covers({"ibv_wr_send_imm", "ibv_wc_read_imm_data"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_send_imm")
    void sendsMessagesWithImmediateData() {
        exchangeMessagesWithImmediateData(Setup.rc());
    }

    private static Setup permitting(Access access) {
        return Setup.rc().with(access);
    }

    @Test
    @Covers("ibv_wr_rdma_write")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write")
    void writes() {
        try (var players = Players.of(permitting(Access.REMOTE_WRITE))) {
            players.exchangeWrites();
        }
    }

    @Test
    @Covers("ibv_wr_rdma_write")
    @Scenario({
            "test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_zero_length",
            "test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_zero_size"
    })
    void writesNothing() {
        try (var players = Players.of(permitting(Access.REMOTE_WRITE).messages(0))) {
            players.exchangeWrites();
        }
    }

    @Test
    @Covers({"ibv_wr_rdma_write_imm", "ibv_wc_read_imm_data"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_write_imm")
    void writesWithImmediateData() {
        try (var players = Players.of(permitting(Access.REMOTE_WRITE))) {
            players.exchangeMessages(
                    (from, index) -> from.post(
                            index,
                            batch -> batch.write()
                                    .immediate(IMMEDIATE)
                                    .local(from.memory(), 0, from.messageSize())
                                    .remote(from.target())
                                    .post()),
                    OptionalInt.of(IMMEDIATE));
        }
    }

    @Test
    @Covers("ibv_wr_rdma_read")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_read")
    void reads() {
        try (var players = Players.of(permitting(Access.REMOTE_READ))) {
            players.exchangeReads();
        }
    }

    @Test
    @Covers("ibv_wr_rdma_read")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_rdma_read_zero_size")
    void readsNothing() {
        try (var players = Players.of(permitting(Access.REMOTE_READ).messages(0))) {
            players.exchangeReads();
        }
    }

    @Test
    @Covers("ibv_wr_atomic_cmp_swp")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_atomic_cmp_swp")
    void comparesAndSwaps() {
        try (var players = Players.of(permitting(Access.REMOTE_ATOMIC))) {
            players.exchangeAtomics(Atomic.COMPARE_AND_SWAP, 1, 2);
        }
    }

    @Test
    @Covers("ibv_wr_atomic_fetch_add")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_atomic_fetch_add")
    void fetchesAndAdds() {
        try (var players = Players.of(permitting(Access.REMOTE_ATOMIC))) {
            players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2);
        }
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_atomic_write")
    void writesEightBytesAtOnce() {
        try (var players = Players.of(permitting(Access.REMOTE_WRITE).messages(Long.BYTES))) {
            if (!Kernel.hasFlushAndAtomicWrite()) {
                Player client = players.client();
                assertThatThrownBy(() -> client.post(batch -> batch.atomicWrite(1).remote(client.target()).post()))
                        .isInstanceOf(NotSupportedException.class);
                ScenarioReport.skip("no atomic write");
            }
            players.exchangeWrites(player -> batch -> batch.atomicWrite(player.memory().segment().get(Players.LONG, 0))
                    .remote(player.target())
                    .post());
        }
    }

    /// Registering memory with the right to flush is refused before Linux 6.2, or ignored.
    private static void needFlush() {
        if (!Kernel.hasFlushAndAtomicWrite()) {
            try (var players = Players.of(permitting(Access.REMOTE_WRITE))) {
                Player client = players.client();
                assertThatThrownBy(() -> client.post(
                        batch -> batch.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                                .remote(client.target())
                                .post()))
                        .isInstanceOf(NotSupportedException.class);
            }
            ScenarioReport.skip("no flush");
        }
    }

    @Test
    @Covers("ibv_wr_flush")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_flush")
    void flushesWhatItHasWritten() {
        needFlush();
        try (
                var players = Players.of(permitting(Access.REMOTE_WRITE)
                        .with(Access.FLUSH_GLOBAL)
                        .queuePair(PyverbsQpexIT::permittingFlush))) {
            players.exchangeWrites();
            for (FlushLevel level : FlushLevel.values()) {
                flush(players.client(), FlushType.GLOBAL_VISIBILITY, level);
            }
        }
    }

    @Test
    @Covers("ibv_wr_flush")
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_flush_type_violate")
    void failsToFlushInAWayThatTheRegionDoesNotGrant() {
        needFlush();
        try (
                var players = Players.of(permitting(Access.REMOTE_WRITE)
                        .with(Access.FLUSH_GLOBAL)
                        .queuePair(PyverbsQpexIT::permittingFlush))) {
            assertFails(
                    CompletionStatus.REMOTE_ACCESS_ERROR,
                    () -> flush(players.client(), FlushType.PERSISTENCE, FlushLevel.RANGE));
        }
    }

    private static QueuePairBuilder permittingFlush(QueuePairBuilder builder) {
        return builder.access(Access.REMOTE_WRITE, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);
    }

    private static void flush(Player player, FlushType type, FlushLevel level) {
        player.post(batch -> batch.flush(type, level).remote(player.target()).post());
        player.complete();
    }

    /// A window that grants reads but not writes, on a region that grants both.
    @Test
    @Covers({"ibv_wr_bind_mw", "ibv_alloc_mw", "ibv_inc_rkey"})
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_bind_mw")
    void bindsAWindowThatGrantsNoWrites() {
        try (
                var players = Players.of(
                        permitting(Access.REMOTE_WRITE).with(Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND))) {
            Player client = players.client();
            Player server = players.server();
            var window = server.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
            int former = window.remoteKey();
            server.post(batch -> batch.bind(window, Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ))
                    .local(server.memory(), 0, server.memory().length())
                    .post());
            server.complete();
            assertThat(window.remoteKey() & 0xff).isEqualTo((former + 1) & 0xff);
            RemoteMemory whole = server.memory().remote();

            client.aimAt(window.remote(whole));
            players.both().forEach(Player::fill);
            client.post(batch -> batch.read()
                    .local(client.memory(), 0, client.messageSize())
                    .remote(client.target())
                    .post());
            client.complete();
            client.assertHoldsMessageOf(server);

            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }

    @Test
    @Covers("ibv_post_recv")
    @Scenario("test_qpex.QpExTestCase.test_post_receive_qp_state_bad_flow")
    void takesNoReceiveInReset() {
        try (var players = Players.of(Setup.ud())) {
            reset(players.server());
            assertThatThrownBy(() -> players.server().postReceive(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Covers("ibv_post_send")
    @Scenario("test_qpex.QpExTestCase.test_post_send_qp_state_bad_flow")
    void takesNoSendInReset() {
        try (var players = Players.of(Setup.ud())) {
            Player client = players.client();
            reset(client);
            assertThatThrownBy(() -> client.post(batch -> batch.send().local(client.memory(), 0, 8).post()))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static void reset(Player player) {
        player.queuePair()
                .modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
    }

    @Test
    @Covers("ibv_post_recv")
    @Scenario("test_qpex.QpExTestCase.test_full_rq_bad_flow")
    void takesNoMoreReceivesThanItHolds() {
        try (var players = Players.of(Setup.ud())) {
            Player server = players.server();
            int capacity = server.queuePair().capabilities().maxReceiveWorkRequests();
            for (int i = 0; i < capacity; i++) {
                server.postReceive(0);
            }
            try (var batch = server.queuePair().beginReceive()) {
                assertThat(batch.receive(server.memory(), 0, 64)).isFalse();
            }
        }
    }

    @Test
    @Covers("ibv_post_recv")
    @Scenario("test_qpex.QpExTestCase.test_rq_with_larger_sgl_bad_flow")
    void takesNoReceiveOfMorePiecesThanItHolds() {
        try (var players = Players.of(Setup.ud())) {
            Player server = players.server();
            var pieces = new ScatterGatherList();
            for (int i = 0; i <= server.queuePair().capabilities().maxReceiveScatterGather(); i++) {
                pieces.add(server.memory().address() + i * 8L, 8, server.memory().localKey());
            }
            try (var batch = server.queuePair().beginReceive()) {
                assertThatThrownBy(() -> batch.receive(pieces)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}

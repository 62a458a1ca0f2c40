// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryAdvice;
import io.verbs4j.tests.pyverbs.Players.Atomic;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Traffic on memory with on-demand paging, as in `test_odp.py`. Kernels without it refuse the registration.
@PyverbsScenarios
@Needs.OneKernel
class PyverbsOdpIT {
    private static final Setup REMOTE =
            Setup.rc().with(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private static void play(Setup setup, Consumer<Players> traffic) {
        Setup paged = setup.with(Access.ON_DEMAND);
        if (Kernel.hasOnDemandPaging()) {
            try (var players = Players.of(paged)) {
                traffic.accept(players);
            }
        } else {
            assertThatThrownBy(() -> Players.of(paged))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                            .isEqualTo(Kernel.refusesForeignRegionRights() ? Errno.EOPNOTSUPP : Errno.EINVAL));
            ScenarioReport.skip("no on-demand paging");
        }
    }

    @Test
    @Scenario({"test_odp.OdpTestCase.test_odp_rc_traffic", "test_odp.OdpTestCase.test_mrex_odp_rc_traffic"})
    void exchangesMessages() {
        play(Setup.rc(), Players::exchangeMessages);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_ud_traffic")
    void exchangesDatagrams() {
        play(Setup.ud(), Players::exchangeMessages);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_rc_srq_traffic")
    void exchangesMessagesOverASharedReceiveQueue() {
        play(Setup.rc().sharing(2), Players::exchangeMessages);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_rc_rdma_read")
    void reads() {
        play(REMOTE, Players::exchangeReads);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_rc_rdma_write")
    void writes() {
        play(REMOTE, Players::exchangeWrites);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_rc_atomic_cmp_and_swp")
    void comparesAndSwaps() {
        play(REMOTE, players -> {
            players.exchangeAtomics(Atomic.COMPARE_AND_SWAP, 1, 2);
            players.exchangeAtomics(Atomic.COMPARE_AND_SWAP, 1, 1);
        });
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_rc_atomic_fetch_and_add")
    void fetchesAndAdds() {
        play(REMOTE, players -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2));
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_qp_ex_rc_atomic_write")
    void writesEightBytesAtOnce() {
        play(
                REMOTE.messages(Long.BYTES),
                players -> players.exchangeWrites(
                        player -> batch -> batch.atomicWrite(player.memory().segment().get(Players.LONG, 0))
                                .remote(player.target())
                                .post()));
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_qp_ex_rc_flush")
    void flushes() {
        play(
                REMOTE.with(Access.FLUSH_GLOBAL)
                        .queuePair(builder -> builder.access(Access.REMOTE_WRITE, Access.FLUSH_GLOBAL)),
                players -> {
                    players.exchangeWrites();
                    Player client = players.client();
                    for (FlushLevel level : FlushLevel.values()) {
                        client.post(batch -> batch.flush(FlushType.GLOBAL_VISIBILITY, level)
                                .remote(client.target())
                                .post());
                        client.complete();
                    }
                });
    }

    @Test
    @Covers("ibv_advise_mr")
    @Scenario("test_odp.OdpTestCase.test_odp_sync_prefetch_rc_traffic")
    void exchangesMessagesWithPagesFetchedBefore() {
        exchangeMessagesWithAdvice(true, MemoryAdvice.PREFETCH, MemoryAdvice.PREFETCH_WRITE);
    }

    @Test
    @Covers("ibv_advise_mr")
    @Scenario("test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic")
    void exchangesMessagesWithPagesThatAreBeingFetched() {
        exchangeMessagesWithAdvice(false, MemoryAdvice.PREFETCH, MemoryAdvice.PREFETCH_WRITE);
    }

    @Test
    @Covers("ibv_advise_mr")
    @Scenario("test_odp.OdpTestCase.test_odp_prefetch_sync_no_page_fault_rc_traffic")
    void exchangesMessagesWithPagesThatAreThereAdvised() {
        exchangeMessagesWithAdvice(true, MemoryAdvice.PREFETCH_NO_FAULT);
    }

    @Test
    @Covers("ibv_advise_mr")
    @Scenario("test_odp.OdpTestCase.test_odp_prefetch_async_no_page_fault_rc_traffic")
    void exchangesMessagesWithPagesThatAreThereAdvisedLater() {
        exchangeMessagesWithAdvice(false, MemoryAdvice.PREFETCH_NO_FAULT);
    }

    /// Librxe of rdma-core 44 does not know the advice, so that its suite skips where we do not.
    private static void exchangeMessagesWithAdvice(boolean wait, MemoryAdvice... kinds) {
        if (!Kernel.hasOnDemandPaging()) {
            try (Context context = Rxe.open()) {
                var domain = context.allocateProtectionDomain();
                var region = domain.allocate(64, Access.LOCAL_WRITE);
                assertThatThrownBy(() -> domain.advise(kinds[0], wait, region.local()))
                        .isInstanceOf(NotSupportedException.class);
            }
            ScenarioReport.skip("no on-demand paging");
        }
        for (MemoryAdvice advice : kinds) {
            play(
                    Setup.rc(),
                    players -> players.exchangeMessages(
                            (from, index) -> {
                                var message = from.memory().slice(0, from.messageSize());
                                from.domain().advise(advice, wait, message);
                                from.post(index, batch -> batch.send().local(message).post());
                            },
                            OptionalInt.empty()));
        }
    }

    /// rxe does not support the access right of huge pages, even with on-demand paging. Without on-demand paging, rxe
    /// would refuse that right, so huge pages are requested alone; kernels that ignore rights refuse the two together.
    @Test
    @Scenario({
            "test_odp.OdpTestCase.test_odp_rc_huge_traffic", "test_odp.OdpTestCase.test_odp_rc_huge_user_addr_traffic"
    })
    void isRefusedForHugePages() {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            Access[] rights = Kernel.refusesForeignRegionRights() && !Kernel.hasOnDemandPaging()
                    ? new Access[]{Access.LOCAL_WRITE, Access.HUGE_PAGES}
                    : new Access[]{Access.LOCAL_WRITE, Access.ON_DEMAND, Access.HUGE_PAGES};
            assertThatThrownBy(() -> domain.allocate(4096, rights))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                            .isEqualTo(Kernel.refusesForeignRegionRights() ? Errno.EOPNOTSUPP : Errno.EINVAL));
            ScenarioReport.refused("no regions of huge pages");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static io.verbs4j.tests.pyverbs.Players.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.pyverbs.Players.Atomic;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Memory regions that change, and memory windows, as in `test_mr.py`.
@PyverbsScenarios
@Needs.OneKernel
class PyverbsMrIT {
    private static final int WRITES = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    /// Regions change their rights or domain since Linux 6.4, which librxe does not pass on: the suite skips these.
    private static void needReregistration() {
        if (!Kernel.hasReregistration()) {
            try (Context context = Rxe.open()) {
                var region = context.allocateProtectionDomain().allocate(64, Access.LOCAL_WRITE);
                assertThatThrownBy(() -> region.changeAccess(Access.REMOTE_READ))
                        .isInstanceOf(NotSupportedException.class);
            }
            ScenarioReport.skip("no re-registration");
        }
    }

    @Test
    @Covers("ibv_rereg_mr")
    @Scenario({"test_mr.MRTest.test_mr_rereg_access", "test_mr.MRTest.test_mrex_rereg_access"})
    void givesARegionMoreRights() {
        needReregistration();
        try (var players = Players.of(Setup.rc())) {
            players.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            players.exchangeWrites();
        }
    }

    @Test
    @Covers("ibv_rereg_mr")
    @Scenario("test_mr.MRTest.test_mr_rereg_access_bad_flow")
    void takesRightsFromARegion() {
        needReregistration();
        try (var players = Players.of(Setup.rc().with(Access.REMOTE_WRITE))) {
            players.exchangeWrites();
            RemoteMemory target = players.client().target();
            players.client().aimAt(target);
            players.server().memory().changeAccess(Access.LOCAL_WRITE);
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }

    @Test
    @Covers("ibv_rereg_mr")
    @Scenario("test_mr.MRTest.test_mr_rereg_atomic")
    void takesTheRightToAtomicsFromARegionAndGivesItBack() {
        needReregistration();
        try (var players = Players.of(Setup.rc().with(Access.REMOTE_ATOMIC))) {
            players.client().aimAt(players.client().target());
            players.server().aimAt(players.server().target());
            players.changeAccess(Access.LOCAL_WRITE);
            assertFails(
                    CompletionStatus.REMOTE_ACCESS_ERROR,
                    () -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2));
            players.reconnect();
            players.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
            players.client().aimAt(players.server().memory().remote());
            players.server().aimAt(players.client().memory().remote());
            players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2);
        }
    }

    @Test
    @Covers("ibv_rereg_mr")
    @Scenario("test_mr.MRTest.test_mr_rereg_pd")
    void movesARegionToAnotherDomainAndBack() {
        needReregistration();
        try (var players = Players.of(Setup.rc())) {
            Player server = players.server();
            ProtectionDomain other = server.context().allocateProtectionDomain();
            players.exchangeMessages();

            // The receives that still wait name the region, which is no longer their queue pair's.
            server.memory().moveTo(other);
            players.client().fill();
            players.client().post(batch -> batch.send().local(players.client().memory(), 0, 8).post());
            assertFails(CompletionStatus.REMOTE_OPERATION_ERROR, players.client()::complete);
            assertFails(CompletionStatus.WORK_REQUEST_FLUSHED, players.client()::complete);
            assertFails(CompletionStatus.LOCAL_QP_OPERATION_ERROR, server::complete);

            server.memory().moveTo(server.domain());
            players.reconnect();
            players.exchangeMessages();
            // A domain goes after a region that has moved to it.
            server.memory().moveTo(other);
        }
    }

    @Test
    @Covers("ibv_reg_mr")
    @Scenario({"test_mr.MRTest.test_reg_mr_bad_flags", "test_mr.MRTest.test_reg_mrex_bad_flags"})
    void registersNoRemoteWritesWithoutLocalOnes() {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            for (Access access : List.of(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
                assertThatThrownBy(() -> domain.allocate(4096, access))
                        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                                .isEqualTo(Errno.EINVAL));
            }
        }
    }

    private static Players playersWithWindows() {
        return Players.of(Setup.rc().with(Access.MEMORY_WINDOW_BIND));
    }

    /// Binds a window on each side, through which the other side writes.
    private static Map<Player, MemoryWindow> bindWindows(Players players, MemoryWindow.Type type) {
        var windows = new LinkedHashMap<Player, MemoryWindow>();
        for (Player player : players.both()) {
            var window = player.domain().allocateMemoryWindow(type);
            player.post(batch -> batch.bind(window, WRITES).local(player.memory(), 0, player.memory().length()).post());
            player.complete();
            players.other(player).aimAt(throughWindow(player, window));
            windows.put(player, window);
        }
        return windows;
    }

    /// All of a player's memory by its window's present key.
    private static RemoteMemory throughWindow(Player player, MemoryWindow window) {
        return new RemoteMemory(player.memory().address(), player.memory().length(), window.remoteKey());
    }

    @Test
    @Covers({"ibv_alloc_mw", "ibv_bind_mw"})
    @Scenario({"test_mr.MWTest.test_mw_type1", "test_mr.MWTest.test_mw_ex_type1"})
    void writesThroughWindowsOfType1() {
        try (var players = playersWithWindows()) {
            bindWindows(players, MemoryWindow.Type.TYPE_1);
            players.exchangeWrites();
        }
    }

    @Test
    @Covers({"ibv_alloc_mw", "ibv_bind_mw"})
    @Scenario("test_mr.MWTest.test_invalidate_mw_type1")
    void unbindsWindowsOfType1ByABindOfNothing() {
        try (var players = playersWithWindows()) {
            var windows = bindWindows(players, MemoryWindow.Type.TYPE_1);
            players.exchangeWrites();
            windows.forEach((player, window) -> {
                player.post(batch -> batch.bind(window, 0).local(player.memory(), 0, 0).post());
                player.complete();
            });
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
            // Each bind gives a window of type 1 another key: the former one would fail after a bind of everything, too.
            players.reconnect();
            windows.forEach((player, window) -> players.other(player).aimAt(throughWindow(player, window)));
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }

    @Test
    @Covers({"ibv_alloc_mw", "ibv_wr_bind_mw"})
    @Scenario("test_mr.MWTest.test_mw_type2")
    void writesThroughWindowsOfType2() {
        try (var players = playersWithWindows()) {
            bindWindows(players, MemoryWindow.Type.TYPE_2);
            players.exchangeWrites();
        }
    }

    @Test
    @Covers("ibv_wr_local_inv")
    @Scenario("test_mr.MWTest.test_mw_type2_invalidate_local")
    void invalidatesWindowsOfType2Here() {
        try (var players = playersWithWindows()) {
            var windows = bindWindows(players, MemoryWindow.Type.TYPE_2);
            players.exchangeWrites();
            windows.forEach((player, window) -> {
                player.post(batch -> batch.invalidate(window.remoteKey()).post());
                player.complete();
            });
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }

    @Test
    @Covers({"ibv_wr_send_inv", "ibv_wc_read_invalidated_rkey"})
    @Scenario("test_mr.MWTest.test_mw_type2_invalidate_remote")
    void invalidatesWindowsOfType2FromAfar() {
        try (var players = playersWithWindows()) {
            var windows = bindWindows(players, MemoryWindow.Type.TYPE_2);
            players.exchangeWrites();
            windows.forEach((player, window) -> {
                player.postReceive(0);
                Player peer = players.other(player);
                peer.post(batch -> batch.send().invalidating(window.remoteKey()).local(peer.memory(), 0, 8).post());
                peer.complete();
                var received = player.complete();
                assertThat(received.hasInvalidatedKey()).isTrue();
                assertThat(received.immediateDataOrKey()).isEqualTo(window.remoteKey());
            });
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }

    @Test
    @Covers("ibv_dealloc_mw")
    @Scenario("test_mr.MWTest.test_mw_type2_invalidate_dealloc")
    void deallocatesWindowsOfType2() {
        try (var players = playersWithWindows()) {
            var windows = bindWindows(players, MemoryWindow.Type.TYPE_2);
            players.exchangeWrites();
            windows.values().forEach(MemoryWindow::close);
            assertFails(CompletionStatus.REMOTE_ACCESS_ERROR, players::exchangeWrites);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static io.verbs4j.tests.pyverbs.Players.assertFails;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.pyverbs.Players.Atomic;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import org.junit.jupiter.api.Test;

/// Atomics over a reliable connection, as in `test_atomic.py`.
@PyverbsScenarios
@Covers({"ibv_post_send", "ibv_wr_atomic_cmp_swp", "ibv_wr_atomic_fetch_add"})
@Needs.OneKernel
class PyverbsAtomicIT {
    private static final Setup ATOMIC =
            Setup.rc().with(Access.REMOTE_ATOMIC).queuePair(builder -> builder.access(Access.REMOTE_ATOMIC));

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_cmp_and_swap")
    void comparesAndSwaps() {
        try (var players = Players.of(ATOMIC)) {
            players.exchangeAtomics(Atomic.COMPARE_AND_SWAP, 1, 2);
            players.exchangeAtomics(Atomic.COMPARE_AND_SWAP, 1, 1);
        }
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_fetch_and_add")
    void fetchesAndAdds() {
        try (var players = Players.of(ATOMIC)) {
            players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2);
        }
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_qp_access")
    void failsIfTheQueuePairDoesNotPermitIt() {
        try (var players = Players.of(ATOMIC.queuePair(builder -> builder.access()))) {
            assertFails(
                    CompletionStatus.REMOTE_INVALID_REQUEST,
                    () -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2));
        }
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_mr_access")
    void failsIfTheRegionDoesNotPermitIt() {
        try (
                var players = Players.of(
                        ATOMIC, Setup.rc().queuePair(builder -> builder.access(Access.REMOTE_ATOMIC)))) {
            MemoryRegion memory = players.server().memory();
            players.client().aimAt(new RemoteMemory(memory.address(), memory.length(), memory.remoteKey()));
            assertFails(
                    CompletionStatus.REMOTE_ACCESS_ERROR,
                    () -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2));
        }
    }

    /// The device would say `REM_INV_REQ` and end the connection; verbs4j refuses it before.
    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_non_aligned_addr")
    void isRefusedOnACrookedAddress() {
        try (var players = Players.of(ATOMIC)) {
            players.client().aimAt(players.client().target().slice(1, Long.BYTES));
            assertThatThrownBy(() -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a multiple of 8");
        }
    }

    /// A key comes with its region in Java; a region of another domain is refused before the device sees its key.
    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_lkey")
    void isRefusedWithAForeignLocalKey() {
        try (var players = Players.of(ATOMIC)) {
            Player client = players.client();
            var foreign = client.context().allocateProtectionDomain().allocate(Long.BYTES, Access.LOCAL_WRITE);
            assertThatThrownBy(() -> client.post(batch -> batch.fetchAndAdd(1)
                    .local(foreign, 0, Long.BYTES)
                    .remote(client.target())
                    .post()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another protection domain");
        }
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_rkey")
    void failsWithAWrongRemoteKey() {
        try (var players = Players.of(ATOMIC)) {
            RemoteMemory target = players.client().target();
            players.client().aimAt(new RemoteMemory(target.address(), target.length(), target.remoteKey() + 1));
            assertFails(
                    CompletionStatus.REMOTE_ACCESS_ERROR,
                    () -> players.exchangeAtomics(Atomic.FETCH_AND_ADD, 1, 2));
        }
    }
}

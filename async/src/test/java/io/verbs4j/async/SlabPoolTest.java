// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryWindow;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlabPoolTest {
    private Loop loop;

    @BeforeEach
    void open() {
        loop = new Loop(false);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private SlabPool pool(int count) {
        return SlabPool.allocate(loop.domain, count, 100, Access.LOCAL_WRITE);
    }

    @Test
    void lendsEachSlabOnce() {
        try (SlabPool pool = pool(3)) {
            Set<Long> offsets = new HashSet<>();
            Set<Lease> leases = new HashSet<>();
            for (Lease lease = pool.tryLease(); lease != null; lease = pool.tryLease()) {
                assertThat(lease.segment().byteSize()).isEqualTo(100);
                offsets.add(lease.offset());
                leases.add(lease);
            }

            assertThat(offsets).containsExactlyInAnyOrder(0L, 128L, 256L);
            leases.forEach(Lease::close);
            assertThat(pool.available()).isEqualTo(3);
        }
    }

    @Test
    void waitsForASlab() throws InterruptedException {
        try (SlabPool pool = pool(1); Lease lease = pool.lease()) {
            assertThat(pool.lease(Duration.ofMillis(1))).isNull();
            Thread returning = Thread.ofVirtual().start(lease::close);

            try (Lease second = pool.lease(Duration.ofSeconds(20))) {
                assertThat(second.offset()).isZero();
            }
            returning.join();
        }
    }

    /// A number of nanoseconds above 2^63 is no error.
    @Test
    void aTimeoutMayHaveAnyLength() throws InterruptedException {
        var longest = Duration.ofSeconds(Long.MAX_VALUE);
        try (SlabPool pool = pool(1); var scope = loop.here.open()) {
            try (Lease lease = pool.lease(longest)) {
                assertThat(lease).isNotNull();
            }
            assertThat(scope.awaitIdle(longest)).isTrue();
        }
    }

    @Test
    void refusesToCloseWhileASlabIsLent() throws InterruptedException {
        SlabPool pool = pool(2);
        Lease lease = pool.lease();

        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 slabs are leased");
        lease.close();
        pool.close();
        assertThatThrownBy(pool::tryLease).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    /// The kernel does not deregister a region to which a memory window is bound.
    @Test
    void staysOpenIfTheKernelRefusesTheClose() throws InterruptedException {
        SlabPool pool = SlabPool.allocate(loop.domain, 2, 64, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
        MemoryWindow window = loop.domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        Lease lease = pool.lease();
        try (var scope = loop.here.open()) {
            scope.post(new SendWorkRequest().bind(window, Access.REMOTE_READ), lease, 64);
        }
        lease.close();
        assertThatThrownBy(pool::close).isInstanceOf(VerbsException.class)
                .hasMessageContaining("memory windows are bound to the region");
        assertThat(pool.available()).isEqualTo(2);

        window.close();
        pool.close();
        assertThat(lease.region().isClosed()).isTrue();
    }

    /// Usually, the close takes the slab before the first thread wakes. Otherwise, the test starts again.
    @Test
    void closingEndsThreadsThatWait() throws Exception {
        SlabPool pool = pool(1);
        Lease lease = pool.lease();
        while (true) {
            var first = InThread.PLATFORM.start(pool::lease);
            Eventually.until(first::isWaiting, pool::toString);
            var second = InThread.PLATFORM.start(pool::lease);
            Eventually.until(second::isWaiting, pool::toString);
            lease.close();
            try {
                pool.close();
            } catch (IllegalStateException inUse) {
                first.result().close();
                lease = second.result();
                continue;
            }
            for (var waiting : List.of(first, second)) {
                assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class)
                        .hasMessage(pool + " is closed");
            }
            assertThat(pool.available()).isZero();
            return;
        }
    }

    @Test
    void showsWhereALeaseWasTakenThatHoldsUpTheClose() throws InterruptedException {
        SlabPool pool = pool(2).detectLeaks();
        Lease lease = pool.lease();

        assertThatThrownBy(pool::close).satisfies(refusal -> assertThat(refusal.getSuppressed()[0].getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("showsWhereALeaseWasTakenThatHoldsUpTheClose")));
        lease.close();
        pool.close();
    }

    @Test
    void refusesTheUseOfAClosedLeaseAlsoWhenItsSlabIsLentAgain() throws InterruptedException {
        try (SlabPool pool = pool(1).detectLeaks()) {
            Lease first = pool.lease();
            first.close();
            try (Lease second = pool.lease()) {
                first.close();
                assertThat(pool.available()).isZero();
                assertThatThrownBy(first::segment).isInstanceOf(IllegalStateException.class);
                assertThat(second.segment().byteSize()).isEqualTo(100);
            }
        }
    }

    /// Another thread may close the lease while work begins. The slab could then be leased again, although the device
    /// uses it.
    @Test
    void noWorkBeginsWithASlabThatWasGivenUp() throws InterruptedException {
        try (SlabPool pool = pool(1)) {
            Lease lease = pool.lease();
            Slab slab = lease.pin();
            lease.close();
            assertThat(slab.pin()).isFalse();
            slab.unpin();
            assertThat(slab.pin()).isFalse();
            assertThat(pool.available()).isOne();
        }
    }

    @Test
    void takesASlabBackWhoseLeaseIsLost() throws InterruptedException {
        try (SlabPool pool = pool(1).detectLeaks()) {
            lose(pool);

            Eventually.until(() -> {
                System.gc();
                return pool.leaks() == 1 && pool.available() == 1;
            }, () -> pool.leaks() + " leaks, " + pool.available() + " available");
        }
    }

    private static void lose(SlabPool pool) throws InterruptedException {
        pool.lease().segment().fill((byte) 1);
    }
}

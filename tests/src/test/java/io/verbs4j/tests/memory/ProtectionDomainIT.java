// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.Access;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Protection domains: what belongs together, and what does not.
@DeviceTest
@Covers({"ibv_alloc_pd", "ibv_dealloc_pd"})
@Needs.EachKernel
class ProtectionDomainIT {
    private final Context context = Rxe.open();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Scenario({
            "test_pd.PDTest.test_alloc_pd",
            "test_pd.PDTest.test_dealloc_pd",
            "test_pd.PDTest.test_multiple_pd_creation"
    })
    void isOneOfMany() {
        try (
                var first = context.allocateProtectionDomain();
                var second = context.allocateProtectionDomain()) {
            assertThat(first.context()).isSameAs(context);
            assertThat(first).doesNotHaveToString(second.toString());
        }
    }

    @Test
    void refusesToCloseWhileARegionBelongsToItAndNamesTheRegion() {
        var domain = context.allocateProtectionDomain();
        var region = domain.allocate(4096);

        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(domain + " is still used by " + region);

        region.close();
        assertThatCode(domain::close).doesNotThrowAnyException();
        assertThat(domain.isClosed()).isTrue();
    }

    @Test
    void refusesToCloseWhileAQueuePairBelongsToIt() {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        var queuePair = domain.reliableConnection(queue).create();

        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(domain + " is still used by " + queuePair);
    }

    @Test
    @Scenario("test_pd.PDTest.test_destroy_pd_twice")
    void canBeClosedTwice() {
        var domain = context.allocateProtectionDomain();
        domain.close();
        assertThatCode(domain::close).doesNotThrowAnyException();
    }

    @Test
    void makesNothingAfterItWasClosed() {
        var domain = context.allocateProtectionDomain();
        domain.close();

        assertThatThrownBy(() -> domain.allocate(4096, Access.LOCAL_WRITE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(domain + " is closed");
    }

    @Test
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_lkey")
    void keepsItsQueuePairsAwayFromMemoryOfOtherDomains() {
        try (
                var pair = ConnectedPair.onOneDevice().connect();
                var other = pair.left().context().allocateProtectionDomain();
                var region = other.allocate(64, Access.LOCAL_WRITE);
                var sends = pair.left().queuePair().beginSend();
                var receives = pair.left().queuePair().beginReceive()) {
            assertThatThrownBy(() -> sends.send().local(region, 0, 64).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another protection domain");
            assertThatThrownBy(() -> receives.receive(region, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another protection domain");
        }
    }

    @Test
    void takesNoCompletionQueueOfAnotherContext() {
        try (
                Context other = Rxe.open();
                var domain = context.allocateProtectionDomain();
                var foreign = other.createCompletionQueue(16)) {
            assertThatThrownBy(() -> domain.reliableConnection(foreign).create())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(foreign + " belongs to another context");
        }
    }
}

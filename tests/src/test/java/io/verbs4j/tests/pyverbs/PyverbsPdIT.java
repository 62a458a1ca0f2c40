// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Protection domains, as in `test_pd.py`.
@PyverbsScenarios
@Covers({"ibv_alloc_pd", "ibv_dealloc_pd"})
@Needs.OneKernel
class PyverbsPdIT {
    private final Context context = Rxe.open();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Scenario({"test_pd.PDTest.test_alloc_pd", "test_pd.PDTest.test_dealloc_pd"})
    void isAllocatedAndDeallocated() {
        var none = LeakCheck.objectsOfContexts();
        var domain = context.allocateProtectionDomain();
        assertThat(domain.isClosed()).isFalse();
        assertThat(LeakCheck.objectsOfContexts()).hasSize(none.size() + 1);
        domain.close();
        assertThat(domain.isClosed()).isTrue();
        assertThat(LeakCheck.objectsOfContexts()).isEqualTo(none);
    }

    @Test
    @Scenario("test_pd.PDTest.test_multiple_pd_creation")
    void isAllocatedManyTimes() {
        for (int i = 0; i < 200; i++) {
            try (var domain = context.allocateProtectionDomain()) {
                assertThat(domain.context()).isSameAs(context);
            }
        }
    }

    @Test
    @Scenario("test_pd.PDTest.test_destroy_pd_twice")
    void mayBeDeallocatedTwice() {
        var domain = context.allocateProtectionDomain();
        domain.close();
        assertThatCode(domain::close).doesNotThrowAnyException();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.ON_DEMAND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.MemoryAdvice;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.Unguarded;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/// Regions without pinned pages on kernels whose rxe has none.
@DeviceTest
@DisabledIf(Kernel.ON_DEMAND_PAGING)
@Needs.EachKernel
class AbsentPagingIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Covers("ibv_query_device_ex")
    void isFoundOutBeforehand() {
        assertThat(context.supports(Feature.ON_DEMAND_PAGING)).isFalse();
    }

    @Test
    void isRefusedByTheKernel() {
        assertThatThrownBy(() -> domain.allocate(4096, LOCAL_WRITE, ON_DEMAND))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                        .isEqualTo(Kernel.refusesForeignRegionRights() ? Errno.EOPNOTSUPP : Errno.EINVAL));
    }

    @Test
    @Covers("ibv_advise_mr")
    void takesNoAdvice() {
        var memory = domain.allocate(4096, LOCAL_WRITE);
        assertThatThrownBy(() -> domain.advise(MemoryAdvice.PREFETCH, true, memory.local()))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("rxe");
        CoverageReport.absent("ibv_advise_mr", "goes with on-demand paging, which rxe has since 6.15");
    }

    @Test
    @Covers("ibv_advise_mr")
    void takesNoAdviceInTheKernelEither() {
        var memory = domain.allocate(4096, LOCAL_WRITE);
        var list = new ScatterGatherList().add(memory.address(), 4096, memory.localKey());
        assertThatThrownBy(() -> Unguarded.advise(domain, AdviseMemory.PREFETCH, list))
                .isInstanceOfSatisfying(VerbsException.class, e -> {
                    assertThat(e.errno()).isIn(Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT);
                    CoverageReport.refused("ibv_advise_mr", e.errno(), "rxe pages on demand since Linux 6.15");
                });
    }
}

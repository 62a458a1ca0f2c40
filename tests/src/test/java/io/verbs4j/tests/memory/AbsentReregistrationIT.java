// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.REMOTE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Unguarded;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/// Changes of a region on kernels whose rxe takes none.
@DeviceTest
@DisabledIf(Kernel.REREGISTRATION)
@Covers("ibv_rereg_mr")
@Needs.EachKernel
class AbsentReregistrationIT {
    private final Context context = Rxe.open();
    private final MemoryRegion region = context.allocateProtectionDomain().allocate(4096, LOCAL_WRITE);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void isRefusedByVerbs4jAndLeavesTheRegionAsItIs() {
        assertThat(context.supports(Feature.REREGISTER_MEMORY)).isFalse();
        var other = context.allocateProtectionDomain();
        assertThatThrownBy(() -> region.changeAccess(REMOTE_READ)).isInstanceOf(NotSupportedException.class);
        assertThatThrownBy(() -> region.moveTo(other)).isInstanceOf(NotSupportedException.class);
        assertThat(region.access()).containsExactly(LOCAL_WRITE);
        assertThat(region.protectionDomain()).isNotSameAs(other);
        CoverageReport.absent("ibv_rereg_mr", "rxe re-registers since Linux 6.4");
    }

    @Test
    void isRefusedByTheKernelToo() {
        var rights = new ReregisterMemory.Request(ReregisterMemory.ACCESS, 0, 0, 0, 0, Access.mask(REMOTE_READ));
        var raw = Unguarded.register(
                region.protectionDomain(), region.address(), region.length(), Access.mask(LOCAL_WRITE));
        assertThatThrownBy(() -> raw.reregister(rights))
                .isInstanceOfSatisfying(VerbsException.class, e -> {
                    assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP);
                    CoverageReport.refused("ibv_rereg_mr", e.errno(), "rxe re-registers since Linux 6.4");
                });
        raw.deregister();
    }
}

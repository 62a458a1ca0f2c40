// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.HUGE_PAGES;
import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.MEMORY_WINDOW_BIND;
import static io.verbs4j.types.Access.ON_DEMAND;
import static io.verbs4j.types.Access.RELAXED_ORDERING;
import static io.verbs4j.types.Access.REMOTE_ATOMIC;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static io.verbs4j.types.Access.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.Unguarded;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Registering memory: what can be registered, with which rights, and what is refused.
@AnyDevice
@DeviceTest
@Covers({"ibv_reg_mr", "ibv_dereg_mr"})
@Needs.EachKernel
class MemoryRegionIT {
    private static final long PAGE = 4096;

    private static final List<Set<Access>> GOOD_COMBINATIONS = List.of(
            Set.of(),
            Set.of(LOCAL_WRITE),
            Set.of(REMOTE_READ),
            Set.of(LOCAL_WRITE, REMOTE_READ),
            Set.of(LOCAL_WRITE, REMOTE_WRITE),
            Set.of(LOCAL_WRITE, REMOTE_ATOMIC),
            Set.of(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC, MEMORY_WINDOW_BIND),
            Set.of(LOCAL_WRITE, RELAXED_ORDERING));

    private static final List<Set<Access>> BAD_COMBINATIONS =
            List.of(Set.of(REMOTE_WRITE), Set.of(REMOTE_ATOMIC), Set.of(REMOTE_READ, REMOTE_WRITE));

    private final Context context = Wire.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void allocatesZeroedMemoryOnAPageOfItsOwn() {
        var region = domain.allocate(10_000, LOCAL_WRITE);

        assertThat(region.length()).isEqualTo(10_000);
        assertThat(region.address()).isEqualTo(region.segment().address());
        assertThat(region.address() % PAGE).isZero();
        assertThat(region.segment().mismatch(MemorySegment.ofArray(new byte[10_000]))).isEqualTo(-1);
        assertThat(region.access()).containsExactly(LOCAL_WRITE);
        assertThat(region.protectionDomain()).isSameAs(domain);
    }

    @Test
    void freesAllocatedMemoryWhenItIsClosed() {
        var region = domain.allocate(PAGE);
        region.close();

        assertThat(region.segment().scope().isAlive()).isFalse();
    }

    @Test
    void leavesTheCallersMemoryToTheCaller() {
        try (Arena arena = Arena.ofShared()) {
            var segment = arena.allocate(64);
            domain.register(segment).close();

            assertThat(segment.scope().isAlive()).isTrue();
        }
    }

    @Test
    void hasKeysOfItsOwn() {
        var first = domain.allocate(PAGE, LOCAL_WRITE, REMOTE_READ);
        var second = domain.allocate(PAGE, LOCAL_WRITE, REMOTE_READ);

        assertThat(first.localKey()).isNotEqualTo(second.localKey());
        assertThat(first.remote().remoteKey()).isEqualTo(first.remoteKey());
        assertThat(first.remote().address()).isEqualTo(first.address());
        assertThat(first.remote().length()).isEqualTo(PAGE);
    }

    @ParameterizedTest
    @FieldSource("GOOD_COMBINATIONS")
    void takesRightsThatGoTogether(Set<Access> rights) {
        assertThat(allocate(rights).access()).isEqualTo(rights);
    }

    @ParameterizedTest
    @Scenario({
            "test_mr.MRTest.test_reg_mr_bad_flags",
            "test_mr.MRTest.test_reg_mrex_bad_flags"
    })
    @FieldSource("BAD_COMBINATIONS")
    void refusesRemoteWritesWithoutLocalOnes(Set<Access> rights) {
        assertThatThrownBy(() -> allocate(rights))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("EINVAL", "without local write")
                .hasMessageNotContainingAny("iova", "length=0", "wrap", "lacks");
    }

    @Test
    @NotOverSiw("other rights than rxe's")
    void treatsRightsThatRxeLacksAsTheKernelDoes() {
        if (Kernel.refusesForeignRegionRights()) {
            assertThatThrownBy(() -> allocate(Set.of(LOCAL_WRITE, ZERO_BASED)))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("access rights");
        } else {
            assertThatCode(() -> allocate(Set.of(LOCAL_WRITE, ZERO_BASED))).doesNotThrowAnyException();
        }
    }

    @Test
    void thatOnlyWindowsMayOpenSaysSoInsteadOfAnAddress() {
        var region = allocate(Set.of(LOCAL_WRITE, Access.MEMORY_WINDOW_BIND));
        assertThatThrownBy(region::remote)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("grants the peer nothing", "MemoryWindow.remote(region, offset, length)");
        assertThatThrownBy(allocate(Set.of(LOCAL_WRITE))::remote)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith(
                        "grants the peer nothing: register it with REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC");
    }

    /// `ib_umem_get` (umem.c) counts pages, of which a range of nothing within a page has one.
    @Test
    @NotOverSiw("no empty regions")
    void ofNoBytesIsRefusedByTheKernelAtTheStartOfAPageOnly() {
        try (Arena arena = Arena.ofShared()) {
            var memory = arena.allocate(PAGE, PAGE);
            assertThatThrownBy(() -> domain.register(memory.asSlice(0, 0)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Unguarded.register(domain, memory.address(), 0, 1))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("length=0");
            Unguarded.register(domain, memory.address() + 8, 0, 1).deregister();
        }
    }

    /// Kernels that ignore unknown rights accept the right of huge pages alone, but not together with paging on demand.
    @Test
    @NotOverSiw("other rights than rxe's")
    void isRefusedForTheRightOfHugePages() {
        var rights = Kernel.refusesForeignRegionRights() && !Kernel.hasOnDemandPaging()
                ? Set.of(LOCAL_WRITE, HUGE_PAGES)
                : Set.of(LOCAL_WRITE, ON_DEMAND, HUGE_PAGES);
        assertThatThrownBy(() -> allocate(rights))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                        .isEqualTo(Kernel.refusesForeignRegionRights() ? Errno.EOPNOTSUPP : Errno.EINVAL));
    }

    @Test
    @NotOverSiw("no paging on demand")
    void pagesOnDemandWhereTheKernelCan() {
        if (Kernel.hasOnDemandPaging()) {
            assertThatCode(() -> allocate(Set.of(LOCAL_WRITE, ON_DEMAND))).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> allocate(Set.of(LOCAL_WRITE, ON_DEMAND)))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                            .isEqualTo(Kernel.refusesForeignRegionRights() ? Errno.EOPNOTSUPP : Errno.EINVAL))
                    .hasMessageContaining(
                            Kernel.refusesForeignRegionRights()
                                    ? "does not support one of the access rights"
                                    : "this kernel or driver lacks [ON_DEMAND]");
        }
    }

    @Test
    void refusesHeapMemory() {
        assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[64]), LOCAL_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("heap", "moves", "Arena.allocate");
    }

    @Test
    void refusesToWriteToReadOnlyMemory() {
        try (Arena arena = Arena.ofShared()) {
            var readOnly = arena.allocate(64).asReadOnly();

            assertThatThrownBy(() -> domain.register(readOnly, LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("read-only", "LOCAL_WRITE");
            try (var region = domain.register(readOnly, REMOTE_READ)) {
                assertThatThrownBy(() -> region.changeAccess(LOCAL_WRITE))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("read-only", "LOCAL_WRITE");
                assertThat(region.access()).containsExactly(REMOTE_READ);
            }
        }
    }

    @Test
    void refusesNothingAsMemory() {
        assertThatThrownBy(() -> domain.allocate(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bytes=0 is not in 1..");
        try (Arena arena = Arena.ofShared()) {
            var empty = arena.allocate(64).asSlice(8, 0);
            assertThatThrownBy(() -> domain.register(empty))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("segment.byteSize=0 is not in 1..");
        }
    }

    @Test
    void refusesMemoryThatIsFreedAlready() {
        MemorySegment freed;
        try (Arena arena = Arena.ofShared()) {
            freed = arena.allocate(64);
        }
        assertThatThrownBy(() -> domain.register(freed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    @Covers("ibv_reg_mr_iova")
    @NotOverSiw("memory by its own address only")
    void refusesAnIovaAtAnotherPlaceInThePage() {
        try (Arena arena = Arena.ofShared()) {
            var segment = arena.allocate(PAGE, PAGE);
            assertThatThrownBy(() -> domain.registerAt(segment, 0x1_0000_0008L, LOCAL_WRITE))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "iova=0x100000008 is at another offset")
                    .hasMessageNotContainingAny("without local write", "length=0", "wrap", "lacks");
        }
    }

    @Test
    void grantsThePeerNothingUnlessAsked() {
        var region = domain.allocate(PAGE, LOCAL_WRITE);

        assertThatThrownBy(region::remote)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(region + " grants the peer nothing");
    }

    @Test
    void keepsSlicesWithinItself() {
        var region = domain.allocate(100, LOCAL_WRITE, REMOTE_READ);

        assertThat(region.slice(90, 10).slice(4, 6)).isEqualTo(region.slice(94, 6));
        assertThat(region.local()).isEqualTo(region.slice(0, 100));
        assertThat(region.remote().slice(60, 40).address()).isEqualTo(region.address() + 60);
        for (var slice : List.<Runnable>of(
                () -> region.slice(90, 11),
                () -> region.slice(-1, 1),
                () -> region.slice(0, -1),
                () -> region.slice(Long.MAX_VALUE, 2),
                () -> region.slice(0, 50).slice(50, 1),
                () -> region.remote().slice(100, 1))) {
            assertThatThrownBy(slice::run).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void canBeClosedTwice() {
        var region = domain.allocate(PAGE);
        region.close();
        assertThatCode(region::close).doesNotThrowAnyException();
    }

    @Test
    @Covers("ibv_rereg_mr")
    @NotOverSiw("no changes of a region")
    void movesToAnotherDomain() {
        assumeTrue(Kernel.hasReregistration(), "this kernel has no re-registration");
        var region = domain.allocate(PAGE, LOCAL_WRITE);
        var other = context.allocateProtectionDomain();
        region.moveTo(other);

        assertThat(region.protectionDomain()).isSameAs(other);
        assertThatThrownBy(other::close).hasMessage(other + " is still used by " + region);
        assertThatCode(domain::close).doesNotThrowAnyException();
    }

    @Test
    @Covers("ibv_rereg_mr")
    @NotOverSiw("no changes of a region")
    void changesItsRights() {
        assumeTrue(Kernel.hasReregistration(), "this kernel has no re-registration");
        var region = domain.allocate(PAGE, LOCAL_WRITE);
        region.changeAccess(REMOTE_READ);

        assertThat(region.access()).containsExactly(REMOTE_READ);
        assertThat(region.remote().remoteKey()).isEqualTo(region.remoteKey());
    }

    private MemoryRegion allocate(Set<Access> rights) {
        return domain.allocate(PAGE, rights.toArray(Access[]::new));
    }
}

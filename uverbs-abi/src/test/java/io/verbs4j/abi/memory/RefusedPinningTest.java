// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A cause is reported if, and only if, the facts allow it.
class RefusedPinningTest {
    private static final KernelRelease OLD = new KernelRelease(6, 12, 114);
    private static final KernelRelease NEW = new KernelRelease(6, 12, 115);
    private static final String FIRST = "user:[4026531837]";
    private static final String CAPABLE = "CapEff:\t0000000000004000\n";
    private static final String INCAPABLE = "CapEff:\tffffffffffffbfff\n";
    private static final long LONG = (1L << 30) + 1;

    private static String limits(String soft, String hard) {
        return "Limit                     Soft Limit           Hard Limit           Units\n"
                + "Max file locks            unlimited            unlimited            locks\n"
                + "Max locked memory         %-20s %-20s bytes\n".formatted(soft, hard);
    }

    private static LockedMemory memory(String soft, String status) {
        return LockedMemory.parse(limits(soft, "8388608"), status, FIRST);
    }

    private static String explain(long length, KernelRelease kernel, LockedMemory memory) {
        return explain(Errno.ENOMEM, length, 0, kernel, memory);
    }

    private static String explain(int errno, long length, int access, KernelRelease kernel, LockedMemory memory) {
        return RefusedPinning.explain(
                errno, new RefusedPinning.Attempt(RdmaDriver.RXE, 0x10000, length, access), kernel, memory);
    }

    @Test
    void theLimitIsReportedWithItsAmount() {
        assertThat(explain(1_048_576, NEW, memory("65536", INCAPABLE)))
                .contains("1048576 bytes of memory cannot be locked", "65536 bytes", "ulimit -l 64",
                        "hard limit 8388608", "raise memlock")
                .doesNotContain("possible", "close regions");
    }

    /// Two pages are pinned, so 14 of 16 pages are left.
    @Test
    void whatIsPinnedAlreadyCounts() {
        LockedMemory memory = memory("65536", INCAPABLE + "VmLck:\t 64 kB\nVmPin:\t       8 kB\n");
        assertThat(explain(14 * 4096, NEW, memory)).contains("possible causes", "of which 8192 are in use")
                .doesNotContain("raise memlock");
        assertThat(explain(14 * 4096 + 1, NEW, memory))
                .contains("of which 8192 are in use", "raise memlock", "close regions that are no longer used");
    }

    /// The kernel counts pages, not bytes.
    @Test
    void aRangeThatTouchesOnePageMoreCountsIt() {
        var crooked = new RefusedPinning.Attempt(RdmaDriver.RXE, 0x10800, 16 * 4096, 0);
        assertThat(RefusedPinning.explain(Errno.ENOMEM, crooked, NEW, memory("65536", INCAPABLE)))
                .contains("raise memlock");
    }

    @Test
    void theCapabilityRulesTheLimitOut() {
        assertThat(explain(1_048_576, NEW, memory("65536", CAPABLE)))
                .contains("possible causes", "no memory left", "no memory regions left", "CAP_IPC_LOCK lifts the limit")
                .doesNotContain("raise memlock", "ulimit");
    }

    @Test
    void theCapabilityOfAnotherUserNamespaceDoesNot() {
        assertThat(explain(1_048_576, NEW, LockedMemory.parse(limits("65536", "65536"), CAPABLE, "user:[4026532000]")))
                .contains("raise memlock");
        assertThat(explain(1_048_576, NEW, LockedMemory.parse(limits("65536", "65536"), CAPABLE, "")))
                .as("a kernel without user namespaces")
                .doesNotContain("raise memlock");
    }

    @Test
    void noLimitIsRuledOut() {
        for (String limit : List.of("unlimited", "9223372036854775807", "18446744073709550592")) {
            assertThat(explain(4096, NEW, memory(limit, INCAPABLE))).as(limit)
                    .contains("an unlimited amount")
                    .doesNotContain("ulimit");
        }
        assertThat(explain(4096, NEW, memory("999999999999999999", INCAPABLE))).contains("999999999999999999 bytes");
    }

    @Test
    void rxesGibibyteIsNamedWhereItIsTheCause() {
        assertThat(explain(LONG, NEW, memory("unlimited", INCAPABLE))).startsWith("rxe of this kernel")
                .contains("1 GiB", "several smaller regions")
                .doesNotContain("possible", "lock");
        assertThat(explain(LONG, OLD, memory("unlimited", INCAPABLE))).contains("possible").doesNotContain("GiB");
        assertThat(explain(1L << 30, NEW, memory("unlimited", INCAPABLE))).contains("possible")
                .doesNotContain("GiB");
        assertThat(explain(LONG, NEW, memory("65536", INCAPABLE))).as("which the kernel checks first")
                .contains("raise memlock")
                .doesNotContain("GiB");
        var card = new RefusedPinning.Attempt(RdmaDriver.MLX5, 0x10000, LONG, 0);
        assertThat(RefusedPinning.explain(Errno.ENOMEM, card, NEW, memory("unlimited", INCAPABLE)))
                .contains("possible")
                .doesNotContain("GiB");
    }

    @Test
    void pagingOnDemandLocksNothing() {
        assertThat(explain(Errno.ENOMEM, LONG, Access.ON_DEMAND.value(), NEW, memory("65536", INCAPABLE)))
                .contains("possible")
                .doesNotContain("lock", "GiB");
    }

    @Test
    void anUnreadableLimitIsPossible() {
        assertThat(explain(4096, NEW, LockedMemory.parse("", "", "")))
                .startsWith("possible causes: RLIMIT_MEMLOCK (ulimit -l)")
                .contains("no memory regions left");
    }

    /// Without permission to lock memory and with a limit of 0, the kernel returns EPERM because of the limit.
    @Test
    void permissionIsDeniedWhereNothingMayBeLocked() {
        assertThat(explain(Errno.EPERM, 4096, 0, NEW, memory("0", INCAPABLE))).contains("no memory", "raise memlock");
        assertThat(explain(Errno.EPERM, 4096, 0, NEW, memory("unlimited", INCAPABLE)))
                .contains("not because of the limit of locked memory", "possibly a seccomp filter")
                .doesNotContain("raise");
        assertThat(explain(Errno.EPERM, 4096, 0, NEW, LockedMemory.parse("", "", ""))).contains("possibly",
                "ulimit -l");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import java.util.ArrayList;

/// Reasons for the kernel's `ENOMEM` and `EPERM` for a registration. If the available facts prove a cause, only that
/// one is reported. Otherwise the causes that they leave open are listed as possible, without those that they rule out.
final class RefusedPinning {
    private static final long PAGE = 4096;
    /// Since 6.12.115, rxe keeps the pages of a pinned region in one table, which the kernel allocates in one piece
    /// (`alloc_mr_page_info`, rxe_mr.c).
    private static final long RXE_MAX_BYTES = 1L << 30;

    private RefusedPinning() {}

    /// The attempted registration.
    ///
    /// @param driver number of the device's driver ([RdmaDriver])
    /// @param address first byte
    /// @param length bytes
    /// @param accessFlags bits of [Access]
    record Attempt(int driver, long address, long length, int accessFlags) {
        private boolean pins() {
            return (accessFlags & Access.ON_DEMAND.value()) == 0;
        }

        /// Returns the bytes of the pages that the range touches.
        private long pages() {
            return (address + length + PAGE - 1 & -PAGE) - (address & -PAGE);
        }

        private boolean isTooLongFor(KernelRelease kernel) {
            return driver == RdmaDriver.RXE && pins() && length > RXE_MAX_BYTES && !kernel.isBefore(6, 12, 115);
        }
    }

    static String explain(int errno, Attempt attempt, Host host) {
        return host.isOperatingSystem()
                ? explain(errno, attempt, host.kernel(), LockedMemory.ofThisProcess())
                : simulated(attempt, host.kernel());
    }

    /// Simulated devices pin nothing, so that no limit of the process applies.
    private static String simulated(Attempt attempt, KernelRelease kernel) {
        return attempt.isTooLongFor(kernel) ? tooLong(attempt) : "the device has no memory regions left";
    }

    static String explain(int errno, Attempt attempt, KernelRelease kernel, LockedMemory memory) {
        if (attempt.pins() && memory.refuses(attempt.pages())) {
            return overLimit(attempt, memory);
        }
        if (errno == Errno.EPERM) {
            return memory.known()
                    ? "not because of the limit of locked memory (" + memory.exclusion()
                            + "); possibly a seccomp filter or a security module forbids the call"
                    : "possibly the process may lock no memory at all: RLIMIT_MEMLOCK (ulimit -l) is 0";
        }
        if (attempt.isTooLongFor(kernel)) {
            return tooLong(attempt);
        }
        var possible = new ArrayList<String>();
        String exclusion = memory.exclusion();
        if (attempt.pins() && exclusion.isEmpty()) {
            possible.add("RLIMIT_MEMLOCK (ulimit -l) is too small");
        }
        possible.add("the kernel has no memory left for " + attempt.length()
                + " bytes, or for the driver's table of their pages");
        possible.add("the device has no memory regions left");
        return "possible causes: " + String.join("; ", possible)
                + (attempt.pins() && !exclusion.isEmpty() ? ". It is not the limit of locked memory: " + exclusion
                        : "");
    }

    private static String tooLong(Attempt attempt) {
        return "rxe of this kernel supports at most 1 GiB in one pinned region, length=" + attempt.length()
                + ": register several smaller regions";
    }

    private static String overLimit(Attempt attempt, LockedMemory memory) {
        long limit = memory.limit().orElseThrow();
        String amount = limit == 0
                ? "the process may lock no memory (ulimit -l 0"
                : "the process may lock " + limit + " bytes together, of which " + memory.pinned()
                        + " are in use (ulimit -l " + (limit >> 10);
        return attempt.length() + " bytes of memory cannot be locked: " + amount + ", hard limit " + memory.hardLimit()
                + "); raise memlock in /etc/security/limits.conf or LimitMEMLOCK= of the service, start the container"
                + " with --ulimit memlock=-1, or give the process CAP_IPC_LOCK"
                + (memory.pinned() > 0 ? ", or close regions that are no longer used" : "");
    }
}

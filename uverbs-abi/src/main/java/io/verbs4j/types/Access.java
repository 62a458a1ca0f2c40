// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/// Rights of a memory region, and remote operations that a queue pair permits (`enum ibv_access_flags`, man
/// ibv_reg_mr(3); IBA vol. 1, 10.6.3).
///
/// Two objects must permit a peer's operation: the memory region, and the queue pair that receives the request.
public enum Access {
    /// `IBV_ACCESS_LOCAL_WRITE`: the device may write to the memory (receives, RDMA reads, atomic results).
    LOCAL_WRITE(1),
    /// `IBV_ACCESS_REMOTE_WRITE`: a peer may write by RDMA. A region also needs [#LOCAL_WRITE].
    REMOTE_WRITE(1 << 1),
    /// `IBV_ACCESS_REMOTE_READ`: a peer may read by RDMA.
    REMOTE_READ(1 << 2),
    /// `IBV_ACCESS_REMOTE_ATOMIC`: a peer may run atomics. A region also needs [#LOCAL_WRITE].
    REMOTE_ATOMIC(1 << 3),
    /// `IBV_ACCESS_MW_BIND`: memory windows may be bound to the region.
    MEMORY_WINDOW_BIND(1 << 4),
    /// `IBV_ACCESS_ZERO_BASED`: addresses in requests are offsets from the start of the region. rxe ignores the flag on
    /// Linux 6.1, and refuses it on later kernels.
    ZERO_BASED(1 << 5),
    /// `IBV_ACCESS_ON_DEMAND`: pages are not pinned; the kernel fetches a page when the device needs it. rxe supports
    /// this since Linux 6.15. On Linux 7.2, rxe writes the bytes of each packet to the start of their page. Therefore,
    /// use it on rxe only for atomics and for packets that begin at the start of a page.
    ON_DEMAND(1 << 6),
    /// `IBV_ACCESS_HUGETLB`: the memory consists of huge pages.
    HUGE_PAGES(1 << 7),
    /// `IBV_ACCESS_FLUSH_GLOBAL`: a peer may flush to global visibility.
    FLUSH_GLOBAL(1 << 8),
    /// `IBV_ACCESS_FLUSH_PERSISTENT`: a peer may flush to persistence; the memory must be persistent.
    FLUSH_PERSISTENT(1 << 9),
    /// `IBV_ACCESS_RELAXED_ORDERING`: writes may become visible out of order. A device that does not support the flag
    /// ignores it.
    RELAXED_ORDERING(1 << 20);

    private final int value;

    Access(int value) {
        this.value = value;
    }

    /// Returns the flag's bit in the kernel's numbering.
    public int value() {
        return value;
    }

    /// Returns the flags as one `int`, the bitwise OR of their values.
    public static int mask(Access... flags) {
        int mask = 0;
        for (Access flag : flags) {
            mask |= flag.value;
        }
        return mask;
    }

    /// Returns the flags as one `int`, the bitwise OR of their values.
    public static int mask(Collection<Access> flags) {
        int mask = 0;
        for (Access flag : flags) {
            mask |= flag.value;
        }
        return mask;
    }

    /// Returns the flags of a mask; bits without a name are omitted.
    public static Set<Access> of(int mask) {
        var flags = EnumSet.noneOf(Access.class);
        for (Access flag : values()) {
            if ((mask & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}

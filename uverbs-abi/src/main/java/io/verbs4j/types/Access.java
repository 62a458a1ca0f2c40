// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/// Rights of a memory region, and operations that a queue pair's responder side permits (`enum ibv_access_flags`,
/// man ibv_reg_mr(3); IBA vol. 1, 10.6.3).
///
/// A remote right must be granted twice: by the region's key and by the queue pair on which the request arrives.
public enum Access {
    /// `IBV_ACCESS_LOCAL_WRITE`: the device may write to the memory (receives, RDMA reads, atomic results).
    LOCAL_WRITE(1),
    /// `IBV_ACCESS_REMOTE_WRITE`: a peer may write by RDMA. On a region it needs [#LOCAL_WRITE] too.
    REMOTE_WRITE(1 << 1),
    /// `IBV_ACCESS_REMOTE_READ`: a peer may read by RDMA.
    REMOTE_READ(1 << 2),
    /// `IBV_ACCESS_REMOTE_ATOMIC`: a peer may run atomics. On a region it needs [#LOCAL_WRITE] too.
    REMOTE_ATOMIC(1 << 3),
    /// `IBV_ACCESS_MW_BIND`: memory windows may be bound to the region.
    MEMORY_WINDOW_BIND(1 << 4),
    /// `IBV_ACCESS_ZERO_BASED`: addresses in requests count from the region's start. rxe: ignored on 6.1, refused
    /// later.
    ZERO_BASED(1 << 5),
    /// `IBV_ACCESS_ON_DEMAND`: pages are not pinned but faulted in. rxe supports it since 6.15. On 7.2 it writes the
    /// bytes of each packet to the start of their page. Therefore use it only for atomics and for packets that begin on
    /// a page.
    ON_DEMAND(1 << 6),
    /// `IBV_ACCESS_HUGETLB`: the memory consists of huge pages.
    HUGE_PAGES(1 << 7),
    /// `IBV_ACCESS_FLUSH_GLOBAL`: a peer may flush to global visibility.
    FLUSH_GLOBAL(1 << 8),
    /// `IBV_ACCESS_FLUSH_PERSISTENT`: a peer may flush to persistence; the memory must be persistent.
    FLUSH_PERSISTENT(1 << 9),
    /// `IBV_ACCESS_RELAXED_ORDERING`: writes may become visible out of order. Optional: ignored where not supported.
    RELAXED_ORDERING(1 << 20);

    private final int value;

    Access(int value) {
        this.value = value;
    }

    /// Returns the flag's bit in the kernel's numbering.
    public int value() {
        return value;
    }

    /// Returns the flags as one word.
    public static int mask(Access... flags) {
        int mask = 0;
        for (Access flag : flags) {
            mask |= flag.value;
        }
        return mask;
    }

    /// Returns the flags as one word.
    public static int mask(Collection<Access> flags) {
        int mask = 0;
        for (Access flag : flags) {
            mask |= flag.value;
        }
        return mask;
    }

    /// Returns the flags of a word; bits without a name are omitted.
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

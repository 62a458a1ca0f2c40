// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A ring that is accessed by address, and whose memory may be unmapped while another thread is about to use it.
///
/// Java does not check accesses by address (docs/adr/0008-raw-rings.md). Therefore, three rules apply:
///
/// - The object keeps the memory reachable.
/// - The owner calls [#vacate] before it unmaps the memory.
/// - The ring calls [#requirePresent()] wherever a thread without a lock could mistake later contents of the memory for
///   a valid value.
public abstract class VacatableRing {
    private final MemorySegment memory;

    /// The reason why the ring was vacated, or null.
    private volatile @Nullable String vacated;

    /// Takes over a ring.
    ///
    /// @param memory the ring's memory, which this object keeps reachable
    protected VacatableRing(MemorySegment memory) {
        this.memory = memory;
    }

    /// Returns the ring's memory.
    protected final MemorySegment memory() {
        return memory;
    }

    /// Vacates the ring: from now on, its methods throw `IllegalStateException`. To be called before the memory is
    /// unmapped.
    ///
    /// @param reason the exception's message
    public void vacate(String reason) {
        vacated = reason;
    }

    /// Throws if the ring was vacated.
    ///
    /// @throws IllegalStateException with the reason
    protected final void requirePresent() {
        String reason = vacated;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }
}

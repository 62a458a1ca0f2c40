// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A ring that is accessed by address, and whose memory may be unmapped while another thread is about to use it.
///
/// An access by address is not checked (docs/adr/0008-raw-rings.md), so there are three rules: the object keeps the
/// memory reachable; [#vacate] is called before unmapping; and the ring calls [#requirePresent()] wherever a thread
/// without a lock could mistake the later contents for an answer.
public abstract class VacatableRing {
    private final MemorySegment memory;

    /// Returns the reason why the ring is lost.
    private volatile @Nullable String vacated;

    /// Takes over a ring.
    ///
    /// @param memory the ring's memory; stays reachable as long as this
    protected VacatableRing(MemorySegment memory) {
        this.memory = memory;
    }

    /// The ring's memory.
    protected final MemorySegment memory() {
        return memory;
    }

    /// Gives up the ring: from now on its methods throw `IllegalStateException`. To be called before the memory is
    /// unmapped.
    ///
    /// @param reason the exception's message
    public void vacate(String reason) {
        vacated = reason;
    }

    /// Throws if the ring was given up.
    ///
    /// @throws IllegalStateException with the reason
    protected final void requirePresent() {
        String reason = vacated;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }
}

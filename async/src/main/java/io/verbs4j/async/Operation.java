// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A place in a dispatcher's table for one work request under way; used again and again.
///
/// Its identifier is what the work request carries. It is set after the other fields, when the work begins, and taken away by whoever ends
/// it, so that a completion and an end of the queue pair do not both do so.
final class Operation {
    private static final long GENERATION = 1L << Integer.SIZE;

    private final AtomicLong id = new AtomicLong();
    private long last;
    @Nullable Slab slab;
    @Nullable WorkScope scope;
    @Nullable CompletionHandler handler;

    Operation(int index) {
        this.last = index;
    }

    /// Starts, after the fields are set.
    ///
    /// @return the identifier; never 0
    long begin() {
        last += GENERATION;
        if (last < GENERATION) { // after 2^32 uses
            last = (last & GENERATION - 1) + GENERATION;
        }
        id.set(last);
        return last;
    }

    /// Returns the identifier of the work under way, 0 if there is none.
    long id() {
        return id.get();
    }

    /// Returns whether the work was under way, and is the caller's to end now
    boolean end(long expected) {
        return expected != 0 && id.compareAndSet(expected, 0);
    }
}

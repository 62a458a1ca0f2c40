// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An entry in a dispatcher's table for one outstanding work request. Entries are reused.
///
/// An entry has the identifier of its work request. The identifier is set after the other fields, and removed by the
/// code that ends the work. Therefore, either a completion or the close of the queue pair ends the work, never both.
final class Operation {
    private static final long GENERATION = 1L << Integer.SIZE;

    private final AtomicLong id = new AtomicLong();
    private long last;
    @Nullable Slab slab;
    @Nullable WorkScope scope;
    @Nullable CompletionHandler handler;

    /// @param last the previous identifier, whose low half is the index in the table
    Operation(long last) {
        this.last = last;
    }

    /// Starts the work, after the fields are set.
    ///
    /// @return the identifier; never 0
    long begin() {
        last += GENERATION;
        if (last < GENERATION) { // after 2^31 uses
            last = (last & GENERATION - 1) + GENERATION;
        }
        id.set(last);
        return last;
    }

    /// Returns the identifier of the outstanding work, or 0.
    long id() {
        return id.get();
    }

    /// Ends the work, and returns whether the work was outstanding. If so, the caller completes it.
    boolean end(long expected) {
        return expected != 0 && id.compareAndSet(expected, 0);
    }
}

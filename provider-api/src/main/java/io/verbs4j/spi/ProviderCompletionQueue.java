// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A completion queue: the ring's consumer side, and its commands. The caller holds the queue's lock around
/// [#begin()] … [#end()] and around [#resize(int)], if it shares the queue between threads.
public abstract class ProviderCompletionQueue {
    /// For providers.
    protected ProviderCompletionQueue() {}

    /// Returns the queue that a provider made: this one, or the one that this stands in for.
    public ProviderCompletionQueue unwrapped() {
        return this;
    }

    /// The kernel's handle.
    public abstract int handle();

    /// Completions that the ring can hold.
    public abstract int capacity();

    /// Starts a batch: looks once (with acquire) how many completions wait.
    ///
    /// @return 0 if none waits, else how many do as far as the device says without being asked again. A ring with
    ///     indices, as rxe's, says exactly how many; a ring whose slots carry an ownership bit each, as mlx5's, says 1
    ///     at least, and [#next(Completion)] finds the end.
    public abstract int begin();

    /// Takes the next completion of the batch.
    ///
    /// @param completion filled with it
    /// @return false if the batch has no more
    public abstract boolean next(Completion completion);

    /// Gives the taken slots back to the device (with release). Ends the batch, unless [#next(Completion)] goes on with
    /// it.
    public abstract void end();

    /// Takes the next completion of the batch, and gives its slot back at once.
    ///
    /// @param completion filled with it
    /// @return false if the batch has no more
    public boolean take(Completion completion) {
        boolean some = next(completion);
        if (some) {
            end();
        }
        return some;
    }

    /// Looks at the ring without touching it: from any thread, also while others use the queue. The caller sees to it
    /// that the queue is not destroyed in that time; it may be resized.
    ///
    /// @return null if the device does not let itself be looked at, or has no ring at this moment
    public @Nullable RingReading readRing() {
        return null;
    }

    /// Arms the queue: the next completion raises one event on its channel. One that waits already does not.
    ///
    /// @param solicitedOnly whether only receives of solicited messages count
    public abstract void requestNotification(boolean solicitedOnly);

    /// Takes note that an event of this queue was read from its channel. Devices that number their events, as mlx5's
    /// do, count here, so that a later arming differs from an earlier one. Any thread. Nothing to do otherwise.
    public void eventTaken() {}

    /// Makes the ring smaller or larger; waiting completions are kept.
    public abstract void resize(int entries);

    /// Takes note that a queue pair is destroyed or in RESET: its completions that still wait may be dropped. The
    /// caller holds the queue's lock. Devices whose completions name a slot of the queue pair's ring, and not the work
    /// request, must drop them here, since that slot means nothing any more. Nothing to do otherwise.
    public void forget(ProviderQueuePair queuePair) {}

    /// Destroys the queue and unmaps its ring.
    public abstract void destroy();
}

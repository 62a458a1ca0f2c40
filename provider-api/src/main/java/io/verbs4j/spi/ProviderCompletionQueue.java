// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A completion queue: the ring's consumer side, and its commands. If the queue is shared between threads, the caller
/// holds its lock around [#begin()] … [#end()] and around [#resize(int)].
public abstract class ProviderCompletionQueue {
    /// For providers.
    protected ProviderCompletionQueue() {}

    /// Returns the provider's queue: this one, or the wrapped one.
    public ProviderCompletionQueue unwrapped() {
        return this;
    }

    /// Returns the kernel's handle.
    public abstract int handle();

    /// Returns the number of completions that the ring can hold.
    public abstract int capacity();

    /// Starts a batch: reads once (with acquire) the number of waiting completions.
    ///
    /// @return 0 if none is waiting, otherwise a lower bound of their number. A ring with indices, like rxe's, returns
    ///     the exact number. A ring whose slots have ownership bits, like mlx5's, returns 1, and [#next(Completion)]
    ///     finds the end.
    public abstract int begin();

    /// Takes the next completion of the batch.
    ///
    /// @param completion filled with the next completion
    /// @return false if the batch contains no more
    public abstract boolean next(Completion completion);

    /// Takes the next completions of the batch. A provider whose ring can read several in one go overrides it.
    ///
    /// @param completions filled from the start on
    /// @param max at least 1, at most the length of `completions`
    /// @return their number; fewer than `max` if the batch has no more
    public int next(Completion[] completions, int max) {
        int count = 0;
        while (count < max && next(completions[count])) {
            count++;
        }
        return count;
    }

    /// Gives the taken slots back to the device (with release). Ends the batch, unless [#next(Completion)] continues
    /// it.
    public abstract void end();

    /// Returns a racy snapshot of the ring. Any thread may call this while others use the queue. The caller ensures
    /// that the queue is not destroyed meanwhile; it may be resized.
    ///
    /// @return null if the device does not expose its ring, or has no ring at this moment
    public @Nullable RingReading readRing() {
        return null;
    }

    /// Arms the queue: the next completion raises one event on its channel. A completion that is already waiting raises
    /// none.
    ///
    /// @param solicitedOnly whether only receives of solicited messages raise an event
    public abstract void requestNotification(boolean solicitedOnly);

    /// Records that an event of this queue was read from its channel. For devices that number their events, such as
    /// mlx5: they count here, so that a later arming differs from an earlier one. Any thread may call this. Does
    /// nothing by default.
    public void eventTaken() {}

    /// Changes the ring's capacity. Waiting completions are kept.
    public abstract void resize(int entries);

    /// Drops the completions of a queue pair that is destroyed or in RESET, if the device requires it. It does if its
    /// completions contain a slot number of the queue pair's ring instead of the work request: that slot is no longer
    /// valid. The caller holds the queue's lock. Does nothing by default.
    public void forget(ProviderQueuePair queuePair) {}

    /// Destroys the queue and unmaps its ring.
    public abstract void destroy();
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A completion queue: the consumer side of its ring, and its commands. If the queue is shared between threads, the
/// caller holds its lock around [#begin()] … [#end()] and around [#resize(int)].
public abstract class ProviderCompletionQueue {
    /// Called by providers.
    protected ProviderCompletionQueue() {}

    /// Returns the provider's queue: this one, or the wrapped one.
    public ProviderCompletionQueue unwrapped() {
        return this;
    }

    /// Returns the kernel's handle.
    public abstract int handle();

    /// Returns the number of completions that the ring can hold.
    public abstract int capacity();

    /// Starts a batch: reads once, with acquire semantics, how many completions are in the ring.
    ///
    /// @return 0 if the ring is empty. A ring with indices returns the number of completions. A ring whose
    ///     slots have ownership bits returns 1; [#next(Completion)] then finds the end, and skips
    ///     completions of destroyed queue pairs
    public abstract int begin();

    /// Takes the next completion of the batch.
    ///
    /// @param completion filled with the next completion
    /// @return false if the batch contains no more completions
    public abstract boolean next(Completion completion);

    /// Takes the next completions of the batch. A provider overrides this method if its ring can read several
    /// completions at once.
    ///
    /// @param completions the completions to overwrite, from index 0 on
    /// @param max at least 1, at most the length of `completions`
    /// @return the number of completions; less than `max` if the batch contains no more
    public int next(Completion[] completions, int max) {
        int count = 0;
        while (count < max && next(completions[count])) {
            count++;
        }
        return count;
    }

    /// Gives the taken slots back to the device, with release semantics. Ends the batch, unless the caller continues it
    /// with [#next(Completion)].
    public abstract void end();

    /// Returns a racy snapshot of the ring. Any thread may call this method while others use the queue. The caller
    /// ensures that the queue is not destroyed during the call, but the queue may be resized.
    ///
    /// @return null if the device does not expose its ring, or currently has no ring
    public @Nullable RingReading readRing() {
        return null;
    }

    /// Arms the queue: the next completion raises one event on the queue's channel. Completions that are already in the
    /// ring raise no event.
    ///
    /// @param solicitedOnly whether only receives of solicited messages raise an event
    public abstract void requestNotification(boolean solicitedOnly);

    /// Records that an event of this queue was read from its channel. A provider needs this if its device numbers the
    /// events, as mlx5 does, so that each arming has a number of its own. Any thread may call this method. Does nothing
    /// by default.
    public void eventTaken() {}

    /// Sets the action that announces completions for which the kernel raises no event. A provider overrides this
    /// method if it creates completions itself. After it has created some, and if the queue is armed, the provider runs
    /// the action. Meanwhile, it holds none of its own locks. Called at most once, before the queue is used. Does
    /// nothing by default.
    public void onOwnCompletions(Runnable announcement) {}

    /// Changes the ring's capacity. The queue keeps its completions.
    public abstract void resize(int entries);

    /// Drops the completions of a queue pair that is destroyed or in RESET, if the device requires it. A device
    /// requires it if its completions contain slot numbers of the queue pair's ring, because these slots are no longer
    /// valid. The caller holds the queue's lock. Does nothing by default.
    public void forget(ProviderQueuePair queuePair) {}

    /// Destroys the queue and unmaps its ring.
    public abstract void destroy();
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

import org.jspecify.annotations.Nullable;

/// One ring. Its object name is `io.verbs4j:type=Ring,context="rxe0-1",id="3",name="qp 17 send"`, with an id
/// that is never used again. Each attribute looks anew; those of one moment are in [#getStatus()].
public interface RingMXBean {
    /// All of it; null if the queue is being closed.
    @Nullable
    RingStatus getStatus();

    /// Elements in the ring; -1 if the queue is being closed.
    int getFill();

    /// Elements that it can hold; -1 if the queue is being closed.
    int getCapacity();

    /// Completions taken from it since its creation; -1 of other rings than completion queues.
    long getCompletions();
}

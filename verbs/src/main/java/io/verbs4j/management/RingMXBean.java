// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

import org.jspecify.annotations.Nullable;

/// One ring. Its object name is `io.verbs4j:type=Ring,context="rxe0-1",id="3",name="qp 17 send"`, with an id that is
/// never reused. Each attribute reads the ring anew, so separately read attributes can contradict each other.
/// [#getStatus()] takes one racy snapshot.
public interface RingMXBean {
    /// Returns all values; null if the queue is being closed.
    @Nullable
    RingStatus getStatus();

    /// Returns the number of elements in the ring; -1 if the queue is being closed.
    int getFill();

    /// Returns the number of elements that the ring can hold; -1 if the queue is being closed.
    int getCapacity();

    /// Returns the number of completions taken from the ring since its creation; -1 for rings other than completion
    /// queues.
    long getCompletions();
}

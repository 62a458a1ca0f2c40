// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// A racy snapshot of a ring. Its values may be mutually inconsistent.
///
/// @param queue the ring's queue, such as `qp 17 send`, `qp 17 receive`, `srq 2`, `cq 0`
/// @param state the queue pair's state, as [io.verbs4j.QueuePair#state()] returns it; empty for other queues
/// @param capacity elements that the ring can hold
/// @param fill elements in the ring
/// @param producerIndex next slot to fill
/// @param consumerIndex next slot to take
/// @param oldestWorkRequestId identifier of the element that is next to be taken; 0 if there is none
/// @param oldestSeenMillis milliseconds since a snapshot first reported this `oldestWorkRequestId`; the element is at
///     least that old. 0 if the ring is empty, or if this snapshot is the first one with the identifier
/// @param completions completions taken from the ring since its creation; -1 for rings other than completion queues
public record RingStatus(
        String queue,
        String state,
        int capacity,
        int fill,
        int producerIndex,
        int consumerIndex,
        long oldestWorkRequestId,
        long oldestSeenMillis,
        long completions) {}

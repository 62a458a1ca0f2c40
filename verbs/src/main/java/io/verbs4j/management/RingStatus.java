// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// A ring at a moment.
///
/// @param queue whose ring it is, such as `qp 17 send`, `qp 17 receive`, `srq 2`, `cq 0`
/// @param state the queue pair's state, as far as this program has brought it there; empty of other queues
/// @param capacity elements that it can hold
/// @param fill elements in it
/// @param producerIndex next slot to fill
/// @param consumerIndex next slot to take
/// @param oldestWorkRequestId identifier of the element that is next to be taken; 0 if there is none
/// @param oldestSeenMillis for how long the watcher has seen this element as the next one: a lower bound of its age. 0 if there is
///     none, or it is seen for the first time
/// @param completions completions taken from it since its creation; -1 of other rings than completion queues
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

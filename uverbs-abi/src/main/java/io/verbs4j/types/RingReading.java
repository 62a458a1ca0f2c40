// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A racy snapshot of a ring. Its values may be mutually inconsistent.
///
/// @param capacity elements that the ring can hold
/// @param fill elements in the ring: posted elements that the device has not consumed (send or receive ring), or
///     completions that the program has not taken (completion ring)
/// @param producerIndex next slot to fill
/// @param consumerIndex next slot to consume
/// @param oldestWorkRequestId identifier of the element that is next to be taken; 0 if there is none
public record RingReading(int capacity, int fill, int producerIndex, int consumerIndex, long oldestWorkRequestId) {
    /// Checks the ranges.
    public RingReading {
        Ranges.check("capacity", capacity, 0, Integer.MAX_VALUE);
        Ranges.check("fill", fill, 0, capacity);
    }

    /// Returns whether the ring contains no elements.
    public boolean isEmpty() {
        return fill == 0;
    }
}

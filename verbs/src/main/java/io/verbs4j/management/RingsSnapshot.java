// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

import java.util.List;

/// The rings of a context at a moment.
///
/// @param nanoTime the moment, in the program's `System.nanoTime()`: for rates between two snapshots
/// @param rings all rings that the provider shows
public record RingsSnapshot(long nanoTime, List<RingStatus> rings) {
    /// Copies the list.
    public RingsSnapshot {
        rings = List.copyOf(rings);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

import java.util.List;

/// The rings of a context at one moment.
///
/// @param nanoTime the program's `System.nanoTime()` of the snapshot, to calculate rates between two snapshots
/// @param rings all rings that the provider exposes
public record RingsSnapshot(long nanoTime, List<RingStatus> rings) {
    /// Copies the list.
    public RingsSnapshot {
        rings = List.copyOf(rings);
    }
}

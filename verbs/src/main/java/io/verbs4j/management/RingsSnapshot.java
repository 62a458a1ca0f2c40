// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

import java.util.List;

/// The rings of a context, read one after the other.
///
/// @param nanoTime the process's `System.nanoTime()` before the first reading, to calculate rates between two snapshots
/// @param rings all rings that the provider exposes
public record RingsSnapshot(long nanoTime, List<RingStatus> rings) {
    /// Copies the list.
    public RingsSnapshot {
        rings = List.copyOf(rings);
    }
}

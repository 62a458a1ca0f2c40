// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// The effect of a flush (`enum ib_placement_type`; IBA vol. 1, annex A19).
public enum FlushType {
    /// Earlier writes become visible to all readers at the peer.
    GLOBAL_VISIBILITY(1),
    /// Earlier writes survive a power failure at the peer.
    PERSISTENCE(2);

    private final int value;

    FlushType(int value) {
        this.value = value;
    }

    int value() {
        return value;
    }
}

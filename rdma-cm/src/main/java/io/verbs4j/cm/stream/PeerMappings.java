// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Regions of the peer's memory that this end may write to, at offsets chosen by the peer. The caller holds the
/// protocol's monitor.
final class PeerMappings {
    private final long[] offsets;
    private final long[] addresses;
    private final int[] keys;
    private final int[] lengths;

    /// @param count number of entries of the table that the peer writes to
    PeerMappings(int count) {
        this.offsets = new long[count];
        this.addresses = new long[count];
        this.keys = new int[count];
        this.lengths = new int[count];
    }

    int count() {
        return offsets.length;
    }

    /// Adds an entry that the peer has written.
    void put(int index, long offset, long address, int key, int length) {
        offsets[index] = offset;
        addresses[index] = address;
        keys[index] = key;
        lengths[index] = Math.max(0, length);
    }

    /// Returns the entry that contains an offset; -1 if there is none.
    int find(long offset) {
        for (int i = 0; i < offsets.length; i++) {
            long at = offset - offsets[i]; // may overflow, because the peer chooses its offset
            if (at >= 0 && at < lengths[i]) {
                return i;
            }
        }
        return -1;
    }

    /// Returns the number of bytes from an offset to the end of an entry.
    int left(int index, long offset) {
        return (int) (lengths[index] - (offset - offsets[index]));
    }

    long address(int index, long offset) {
        return addresses[index] + (offset - offsets[index]);
    }

    int key(int index) {
        return keys[index];
    }
}

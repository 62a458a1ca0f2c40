// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Arrays;

/// A list of local buffers for one work request. To reuse a list, call [#clear()], then [#add(long, int, int)]. The
/// list grows as needed, so a reused list allocates nothing. Not thread-safe.
public final class ScatterGatherList {
    private long[] addresses = new long[4];
    private int[] lengths = new int[4];
    private int[] lkeys = new int[4];
    private int size;
    private long totalLength;

    /// Creates an empty list.
    public ScatterGatherList() {}

    /// Empties the list.
    public ScatterGatherList clear() {
        size = 0;
        totalLength = 0;
        return this;
    }

    /// Appends a buffer.
    ///
    /// @param address first byte, an address in a memory region
    /// @param length bytes, not negative
    /// @param lkey key of the memory region
    public ScatterGatherList add(long address, int length, int lkey) {
        Ranges.check("length", length, 0, Integer.MAX_VALUE);
        if (size == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * size);
            lengths = Arrays.copyOf(lengths, 2 * size);
            lkeys = Arrays.copyOf(lkeys, 2 * size);
        }
        addresses[size] = address;
        lengths[size] = length;
        lkeys[size] = lkey;
        size++;
        totalLength += length;
        return this;
    }

    /// Returns the number of buffers.
    public int size() {
        return size;
    }

    /// Returns the sum of the lengths in bytes.
    public long totalLength() {
        return totalLength;
    }

    /// Returns the address of a buffer.
    public long address(int index) {
        return addresses[index];
    }

    /// Returns the length of a buffer in bytes.
    public int length(int index) {
        return lengths[index];
    }

    /// Returns the local key of a buffer.
    public int lkey(int index) {
        return lkeys[index];
    }
}

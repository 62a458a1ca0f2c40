// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.Access;

/// The scatter/gather elements of a work request, and the progress in them (`struct rxe_dma_info`). A send's progress
/// stays in its ring element between packets; a receive's progress stays here.
final class Scatter {
    static final int DONE = 0;
    /// A wrong key, unmapped memory, or more bytes than the message may have.
    static final int BAD = 1;
    /// No element is left.
    static final int FULL = 2;

    private static final int MAX_ELEMENTS = 32;
    private static final long LENGTH = Formats.DMA.offset("length");
    private static final long RESID = Formats.DMA.offset("resid");
    private static final long CURRENT = Formats.DMA.offset("cur_sge");
    private static final long COUNT = Formats.DMA.offset("num_sge");
    private static final long OFFSET = Formats.DMA.offset("sge_offset");
    private static final long ELEMENTS = Formats.DMA.size();
    private static final long SIZE = Formats.ELEMENT.size();
    private static final long ADDRESS_OF_ELEMENT = Formats.ELEMENT.offset("addr");
    private static final long LENGTH_OF_ELEMENT = Formats.ELEMENT.offset("length");
    private static final long KEY_OF_ELEMENT = Formats.ELEMENT.offset("lkey");

    int length;
    int left;
    int current;
    int count;
    int offset;
    private final long[] addresses = new long[MAX_ELEMENTS];
    private final int[] lengths = new int[MAX_ELEMENTS];
    private final int[] keys = new int[MAX_ELEMENTS];

    /// Reads the elements and the progress.
    ///
    /// @param dma address of the `rxe_dma_info`
    /// @param elements maximum number of elements to read
    void load(long dma, int elements) {
        length = Memory.word(dma + LENGTH);
        left = Memory.word(dma + RESID);
        current = Memory.word(dma + CURRENT);
        count = Memory.word(dma + COUNT);
        offset = Memory.word(dma + OFFSET);
        for (int i = 0; i < Math.min(count, elements); i++) {
            long element = dma + ELEMENTS + i * SIZE;
            addresses[i] = Memory.twoWords(element + ADDRESS_OF_ELEMENT);
            lengths[i] = Memory.word(element + LENGTH_OF_ELEMENT);
            keys[i] = Memory.word(element + KEY_OF_ELEMENT);
        }
    }

    /// Stores the progress in the element.
    void store(long dma) {
        Memory.word(dma + RESID, left);
        Memory.word(dma + CURRENT, current);
        Memory.word(dma + OFFSET, offset);
    }

    /// Starts again from the first byte.
    void restart() {
        left = length;
        current = 0;
        offset = 0;
    }

    /// Returns the total length of all elements.
    long room() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Integer.toUnsignedLong(lengths[i]);
        }
        return sum;
    }

    /// Skips bytes of earlier packets.
    void skip(int bytes) {
        int todo = bytes;
        left -= bytes;
        while (todo > 0 && current < count) {
            int here = Math.min(todo, lengths[current] - offset);
            offset += here;
            todo -= here;
            if (offset >= lengths[current] && todo > 0) {
                current++;
                offset = 0;
            }
        }
    }

    /// Copies bytes between the elements and a packet.
    ///
    /// @param in true to write to the elements
    int copy(RxeDevice device, Domain domain, byte[] bytes, int at, int count, boolean in) {
        int done = 0;
        if (count > left) {
            return BAD;
        }
        while (done < count) {
            if (current >= this.count) {
                return FULL;
            }
            int size = lengths[current];
            if (offset >= size) {
                current++;
                offset = 0;
                continue;
            }
            Region region = device.region(keys[current], domain, in ? Access.LOCAL_WRITE.value() : 0);
            if (region == null) {
                return BAD;
            }
            int part = Math.min(count - done, size - offset);
            long address = addresses[current] + offset;
            if (!region.holds(address, part)) {
                return BAD;
            }
            boolean copied = in
                    ? region.write(bytes, at + done, address, part)
                    : region.read(address, bytes, at + done, part);
            if (!copied) {
                return BAD;
            }
            offset += part;
            left -= part;
            done += part;
        }
        return DONE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Access;
import java.util.List;

/// The local buffers of a work request, as packets fill or empty them one after the other (`copy_data`, rxe_mr.c).
final class ScatterModel {
    /// A part whose key was recorded when the work request was posted.
    ///
    /// @param part the requested part
    /// @param generation generation of the region with the key
    record Buffer(Part part, int generation) {}

    private final List<Buffer> buffers;
    private int current;
    private int offset;
    private int rest;

    ScatterModel(List<Buffer> buffers) {
        this.buffers = buffers;
        this.rest = buffers.stream().mapToInt(buffer -> buffer.part().length()).sum();
    }

    /// Returns whether there is room for so many bytes.
    boolean holds(int length) {
        return length <= rest;
    }

    /// Describes what one copy does with bytes of memory.
    private interface Copy {
        void run(byte[] memory, int at, int done, int length);
    }

    /// Puts a packet's payload into the buffers; false if it does not fit or a key is wrong. What came before is there.
    boolean scatter(EndModel end, byte[] payload, int from, int length) {
        return copy(end, Access.LOCAL_WRITE.value(), length,
                (memory, at, done, bytes) -> System.arraycopy(payload, from + done, memory, at, bytes));
    }

    /// Takes a packet's payload out of the buffers; false if a key is wrong.
    boolean gather(EndModel end, byte[] payload, int from, int length) {
        return copy(end, 0, length,
                (memory, at, done, bytes) -> System.arraycopy(memory, at, payload, from + done, bytes));
    }

    private boolean copy(EndModel end, int rights, int length, Copy copy) {
        if (length == 0) {
            return true;
        }
        if (!holds(length)) {
            return false;
        }
        for (int done = 0; done < length;) {
            Part part = buffers.get(current).part();
            if (offset >= part.length()) {
                current++;
                offset = 0;
                continue;
            }
            RegionModel region = end.region(part.region());
            int bytes = Math.min(length - done, part.length() - offset);
            int at = part.offset() + offset;
            if (part.wrongKey()
                    || region.generation != buffers.get(current).generation()
                    || !region.grants(rights)
                    || !region.holds(at, bytes)) {
                return false;
            }
            copy.run(region.bytes, at, done, bytes);
            offset += bytes;
            rest -= bytes;
            done += bytes;
        }
        return true;
    }
}

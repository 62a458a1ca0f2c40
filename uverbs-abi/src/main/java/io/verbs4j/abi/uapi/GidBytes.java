// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import io.verbs4j.types.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A GID in a struct: 16 bytes in network order, without alignment.
public final class GidBytes {
    private GidBytes() {}

    /// Reads a GID.
    ///
    /// @param bytes 16 bytes
    public static Gid read(MemorySegment bytes) {
        return Gid.of(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    /// Writes a GID.
    ///
    /// @param bytes 16 bytes
    public static void write(MemorySegment bytes, Gid gid) {
        bytes.copyFrom(MemorySegment.ofArray(gid.toBytes()));
    }
}

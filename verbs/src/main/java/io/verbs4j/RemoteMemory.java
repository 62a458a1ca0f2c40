// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory of the peer, as the peer described it: the target of RDMA writes, reads and atomics. The description has a
/// text form of one line, which the programs can exchange by any means: [#toString()] returns it, and [#parse(String)]
/// reads it.
///
/// @param address the address of the first byte, at the peer
/// @param length bytes
/// @param remoteKey the rkey of the peer's region or window, never a key of this end
public record RemoteMemory(long address, long length, int remoteKey) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{1,16})/([0-9]{1,18})/([0-9a-f]{1,8})");

    /// Checks that the length is not negative.
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + " is negative");
        }
    }

    /// Parses the text form of [#toString()], and checks that the range does not exceed the address space.
    ///
    /// @throws IllegalArgumentException if the text has another form, or the range exceeds the address space
    public static RemoteMemory parse(String text) {
        Matcher fields = TEXT.matcher(text.strip());
        if (!fields.matches()) {
            throw new IllegalArgumentException("not a memory (address/length/rkey): memory=" + text);
        }
        long address = Long.parseUnsignedLong(fields.group(1), 16);
        long length = Long.parseLong(fields.group(2));
        if (length > 0 && Long.compareUnsigned(address + (length - 1), address) < 0) {
            throw new IllegalArgumentException("reaches beyond the address space: memory=" + text);
        }
        return new RemoteMemory(address, length, Integer.parseUnsignedInt(fields.group(3), 16));
    }

    /// Returns a part of the memory.
    ///
    /// @throws IndexOutOfBoundsException if the part exceeds the memory
    public RemoteMemory slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, length);
        return new RemoteMemory(address + offset, bytes, remoteKey);
    }

    /// Returns `address/length/rkey`, with address and key in hexadecimal.
    @Override
    public String toString() {
        return "%016x/%d/%08x".formatted(address, length, remoteKey);
    }
}

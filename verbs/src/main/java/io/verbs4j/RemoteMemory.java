// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory of the peer, as the peer described it: the target of RDMA writes, reads and atomics. [#toString()] returns
/// its text form and [#parse(String)] reads it, so any channel for a line of text is sufficient.
///
/// @param address the peer's address of the first byte
/// @param length bytes
/// @param remoteKey the peer's key, never a key of ours
public record RemoteMemory(long address, long length, int remoteKey) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{1,16})/([0-9]{1,18})/([0-9a-f]{1,8})");

    /// Checks that the length is not negative.
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + " is negative");
        }
    }

    /// Parses the text form. Input from a peer is checked: the range must not exceed the address space.
    ///
    /// @throws IllegalArgumentException if the text is not a memory
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

    /// Returns a part of it.
    ///
    /// @throws IndexOutOfBoundsException if the part exceeds the memory
    public RemoteMemory slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, length);
        return new RemoteMemory(address + offset, bytes, remoteKey);
    }

    /// Returns `address/length/rkey`, address and key in hexadecimal.
    @Override
    public String toString() {
        return "%016x/%d/%08x".formatted(address, length, remoteKey);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.Objects;

/// Memory of the peer, as the peer described it: what RDMA writes, reads and atomics aim at.
///
/// @param address the peer's address of the first byte
/// @param length bytes
/// @param remoteKey the peer's key, never a key of ours
public record RemoteMemory(long address, long length, int remoteKey) {
    /// Checks that the length is not negative.
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + " is negative");
        }
    }

    /// A part of it.
    ///
    /// @throws IndexOutOfBoundsException if it leaves the memory
    public RemoteMemory slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, length);
        return new RemoteMemory(address + offset, bytes, remoteKey);
    }
}

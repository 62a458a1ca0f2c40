// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.types.Access;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.MemorySegment;

/// The memory of one end: what it sends from, and what the peer may write to.
final class StreamMemory implements AutoCloseable {
    /// Bytes of an entry of a table, and of a control slot: address, rkey, length.
    static final int ENTRY_BYTES = 16;

    /// Control messages that may be under way.
    static final int CONTROL_SLOTS = 4;

    /// Data messages that the peer may send before it needs new credits, and receives for them. C has as many (`rqsize`, rsocket.c).
    static final int CREDITS = 384;

    private final int sendBytes;
    private final int receiveBytes;
    private final MemoryRegion local;
    private final MemoryRegion remote;

    StreamMemory(ProtectionDomain domain, int sendBytes, int receiveBytes) {
        this.sendBytes = sendBytes;
        this.receiveBytes = receiveBytes;
        this.local = domain.allocate((long) sendBytes + CONTROL_SLOTS * ENTRY_BYTES, Access.LOCAL_WRITE);
        try {
            this.remote = domain.allocate(
                    (long) receiveBytes + StreamOffer.ENTRIES * ENTRY_BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        } catch (RuntimeException | Error e) {
            local.close();
            throw e;
        }
    }

    int sendBytes() {
        return sendBytes;
    }

    int receiveBytes() {
        return receiveBytes;
    }

    /// Returns the send ring, and behind it the control slots.
    MemoryRegion local() {
        return local;
    }

    /// Returns the receive ring.
    MemorySegment receiveRing() {
        return remote.segment().asSlice(0, receiveBytes);
    }

    /// Returns the table that the peer writes its half rings into.
    MemorySegment table() {
        return remote.segment().asSlice(receiveBytes);
    }

    /// Returns the address of a half of the receive ring.
    long halfAddress(int half) {
        return remote.address() + (long) half * halfBytes();
    }

    int halfBytes() {
        return receiveBytes / 2;
    }

    int remoteKey() {
        return remote.remoteKey();
    }

    /// Returns what the peer is to know.
    PrivateData offer() {
        return new StreamOffer(
                false,
                CREDITS,
                remote.address() + receiveBytes,
                remoteKey(),
                StreamOffer.ENTRIES,
                halfAddress(0),
                remoteKey(),
                halfBytes())
                .encode();
    }

    @Override
    public void close() {
        try (local) {
            remote.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The producer side of a send ring. One thread at a time; the API brings the lock. A batch is [#begin()], any number
/// of work requests, then [#publish()] and one [#doorbell()], or [#abandon()].
///
/// Each method writes one whole work request and returns [PostResult#POSTED] or [PostResult#QUEUE_FULL]. Opcodes are
/// those of [io.verbs4j.types.WorkRequestOpcode], flags those of [io.verbs4j.types.SendFlags]. The API has checked the
/// lengths against the device's limits and the operation against the transport; a provider still refuses, by an
/// `IllegalArgumentException` before the slot is touched, whatever its device would take unchecked. What all devices share
/// of these checks is in [io.verbs4j.spi.ring.SendChecks].
///
/// A provider brings [#transfer] and [#transferInline]; of the operations that not all devices have (datagrams, atomics,
/// flush, memory windows, local invalidation) those that its device has.
public abstract class SendQueueOps {
    /// For providers.
    protected SendQueueOps() {}

    /// Returns why the device does not have an operation: what the methods throw that a provider does not bring.
    ///
    /// @param opcode the operation
    protected RuntimeException unsupported(int opcode) {
        return new NotSupportedException(
                "post " + WorkRequestOpcode.name(opcode), Errno.EOPNOTSUPP, "the device does not have the operation");
    }

    /// Work requests that the ring can hold; of the largest kind, if they differ in size.
    public abstract int capacity();

    /// Scatter/gather elements that one work request can hold.
    public abstract int maxScatterGather();

    /// Bytes that one work request can carry inline.
    public abstract int maxInlineData();

    /// Starts a batch behind what is published.
    public abstract void begin();

    /// Send, RDMA write or RDMA read on a connected queue pair, with one buffer, or none if `length` is 0.
    ///
    /// @param remoteAddress the peer's address; 0 for sends
    /// @param rkey the peer's key; 0 for sends
    /// @param immediateDataOrKey immediate data in the processor's byte order, or the rkey to invalidate; else 0
    public abstract int transfer(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey);

    /// The same with a list of buffers.
    public abstract int transfer(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey);

    /// Send or RDMA write whose payload is copied into the work request.
    ///
    /// @param source native memory or a heap array
    /// @param offset first byte in `source`
    /// @param length bytes, at most [#maxInlineData()]
    public abstract int transferInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey);

    /// Send to a datagram queue pair, with one buffer, or none if `length` is 0.
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        throw unsupported(opcode);
    }

    /// The same with a list of buffers.
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        throw unsupported(opcode);
    }

    /// The same with an inline payload.
    public int datagramInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        throw unsupported(opcode);
    }

    /// Compare-and-swap or fetch-and-add on 8 bytes; the old value arrives in the 8 bytes at `localAddress`.
    ///
    /// @param compareOrAdd what to compare with, or what to add
    /// @param swap what to store; 0 for fetch-and-add
    public int atomic(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap) {
        throw unsupported(opcode);
    }

    /// Writes 8 bytes at once.
    public int atomicWrite(long workRequestId, int flags, long value, long remoteAddress, int rkey) {
        throw unsupported(WorkRequestOpcode.ATOMIC_WRITE);
    }

    /// Flushes earlier writes at the peer.
    ///
    /// @param type 1 global visibility, 2 persistence
    /// @param level 0 the range, 1 the whole region
    public int flush(
            long workRequestId, int flags, long remoteAddress, int length, int rkey, int type, int level) {
        throw unsupported(WorkRequestOpcode.FLUSH);
    }

    /// Invalidates a key of our own.
    public int localInvalidate(long workRequestId, int flags, int key) {
        throw unsupported(WorkRequestOpcode.LOCAL_INVALIDATE);
    }

    /// Binds a memory window to a part of a region; length 0 unbinds a type 1 window.
    ///
    /// @param currentKey the window's present rkey
    /// @param newKey its rkey from then on
    public int bindMemoryWindow(
            long workRequestId,
            int flags,
            int currentKey,
            int newKey,
            int regionKey,
            long address,
            long length,
            int accessFlags) {
        throw unsupported(WorkRequestOpcode.BIND_MEMORY_WINDOW);
    }

    /// Makes a work request that can be posted again and again.
    ///
    /// @param encode calls one of the methods above, once, on what it is given; nothing of that reaches the ring
    /// @throws RuntimeException what that method throws
    public abstract SendTemplate prepare(Consumer<SendQueueOps> encode);

    /// Posts a copy of a template of this queue, as it stands now. Not for datagrams.
    ///
    /// @throws IllegalArgumentException if it was made by another queue
    public abstract int post(SendTemplate template);

    /// Posts a copy of a template of this queue to a destination, in place of the one that it was made with.
    ///
    /// @throws IllegalArgumentException if it was made by another queue
    public int postDatagram(
            SendTemplate template, ProviderAddressHandle addressHandle, int remoteQueuePair, int remoteQkey) {
        throw unsupported(WorkRequestOpcode.SEND);
    }

    /// Gives the batch to the device's memory; it starts to work at the doorbell.
    ///
    /// @return how many work requests it had
    public abstract int publish();

    /// Forgets the batch; the device sees nothing of it.
    public abstract void abandon();

    /// Tells the device to look. May be called without the lock, at the same time as [#publish()] of another batch, and
    /// more often than needed. A device whose doorbell is a store that must not be reordered with others may ring it in
    /// [#publish()], under the lock, and do nothing here.
    ///
    /// @return 0, or a negated error number
    public abstract int doorbell();
}

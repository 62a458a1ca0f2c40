// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.types.Access;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/// Sends that are posted together: `try (var batch = queuePair.beginSend()) { batch.send(…); … batch.submit(); }`.
///
/// Each method writes one work request into the ring, where the device does not see it yet, and returns whether there was room.
/// [#submit()] hands all of them over with one doorbell; a batch that is closed without it posts nothing. The modifiers
/// ([#workRequestId(long)], [#signaled()], [#solicited()], [#fence()], [#to]) apply to the next work request only,
/// whether there was room for it, or it was refused with an exception, or neither.
///
/// Most operations come in three forms, with the same checks: a simple one of [LocalMemory] and [RemoteMemory], which makes
/// small objects; a fast one of a region, an offset and a length, which makes none; and one of an inline copy. A
/// [ScatterGatherList] and the two raw forms ([#post(int, long, int, int, long, int, int)], [#postAtomic]) are for addresses and
/// keys that the caller keeps, and are not checked against regions.
///
/// The batch holds the queue's lock from begin to end and belongs to the thread that began it. It is the same object each
/// time, so posting allocates nothing.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
public final class SendBatch extends SendEncoder implements AutoCloseable {
    SendBatch(QueuePair queuePair, ProtectionDomain domain, SendQueueOps ops, boolean datagram, BatchLock lock) {
        super(queuePair, domain, ops, datagram, lock);
    }

    /// The caller holds the queue's lock.
    void begin() {
        lock.requireIdle();
        ops.begin();
        lock.opened();
        clearModifiers();
    }

    /// Sets the identifier that the next work request's completion will carry; else it is 0.
    public SendBatch workRequestId(long id) {
        id(id);
        return this;
    }

    /// The next work request completes visibly. (Failures always do.)
    public SendBatch signaled() {
        addFlag(SendFlags.SIGNALED);
        return this;
    }

    /// The next message counts for a peer's queue that is armed for solicited messages only.
    public SendBatch solicited() {
        addFlag(SendFlags.SOLICITED);
        return this;
    }

    /// The next work request waits until all earlier RDMA reads and atomics of this queue are done (IBA vol. 1, 10.8.3.3).
    ///
    /// Fence sends and writes, and post no read or atomic behind them until they have completed: a fenced work request that
    /// has to be sent again hangs under rxe, without an error, while a read or an atomic is under way, be it itself or a later
    /// one (`rxe_wqe_is_fenced`, rxe_req.c). rxe's timer makes it send again now and then without need.
    public SendBatch fence() {
        addFlag(SendFlags.FENCE);
        return this;
    }

    /// Sets the destination of the next datagram.
    ///
    /// @param handle the path
    /// @param queuePairNumber the peer's queue pair
    /// @param qkey the peer's Q_Key
    public SendBatch to(AddressHandle handle, int queuePairNumber, int qkey) {
        destination(handle, queuePairNumber, qkey);
        return this;
    }

    /// Sets the destination of the next datagram.
    ///
    /// @param handle the path
    /// @param peer where the peer says that it is
    public SendBatch to(AddressHandle handle, QueuePairEndpoint peer) {
        return to(handle, peer.queuePairNumber(), peer.qkey());
    }

    /// Sends the parts as one message.
    /// @return false if the queue is full
    public boolean send(LocalMemory... parts) {
        return message(WorkRequestOpcode.SEND, parts, 0);
    }

    /// Sends a part of a region.
    /// @return false if the queue is full
    public boolean send(MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND, region, offset, length, 0);
    }

    /// Sends the listed buffers as one message.
    /// @return false if the queue is full
    public boolean send(ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND, list, 0);
    }

    /// Sends a copy of `source`, which may be on the heap and may change right after.
    /// @return false if the queue is full
    public boolean sendInline(MemorySegment source) {
        return messageInline(WorkRequestOpcode.SEND, source, 0, source.byteSize(), 0);
    }

    /// Sends a copy of a part of `source`.
    /// @return false if the queue is full
    public boolean sendInline(MemorySegment source, long offset, long length) {
        return messageInline(WorkRequestOpcode.SEND, source, offset, length, 0);
    }

    /// Sends with a number that the peer finds in its completion.
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND_WITH_IMMEDIATE, region, offset, length, immediateData);
    }

    /// Sends with a number that the peer finds in its completion.
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, LocalMemory... parts) {
        return message(WorkRequestOpcode.SEND_WITH_IMMEDIATE, parts, immediateData);
    }

    /// Sends with a number that the peer finds in its completion.
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND_WITH_IMMEDIATE, list, immediateData);
    }

    /// Sends a copy of `source`, with a number that the peer finds in its completion.
    /// @return false if the queue is full
    public boolean sendInlineWithImmediate(int immediateData, MemorySegment source) {
        return messageInline(WorkRequestOpcode.SEND_WITH_IMMEDIATE, source, 0, source.byteSize(), immediateData);
    }

    /// Sends, and takes the rkey of a memory window of the peer's out of service there.
    /// @return false if the queue is full
    public boolean sendWithInvalidate(int remoteKey, MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND_WITH_INVALIDATE, region, offset, length, remoteKey);
    }

    /// Sends the parts as one message, and takes the rkey of a memory window of the peer's out of service there.
    /// @return false if the queue is full
    public boolean sendWithInvalidate(int remoteKey, LocalMemory... parts) {
        return message(WorkRequestOpcode.SEND_WITH_INVALIDATE, parts, remoteKey);
    }

    /// Sends the listed buffers as one message, and takes the rkey of a memory window of the peer's out of service there.
    /// @return false if the queue is full
    public boolean sendWithInvalidate(int remoteKey, ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND_WITH_INVALIDATE, list, remoteKey);
    }

    /// Sends a copy of `source`, and takes the rkey of a memory window of the peer's out of service there.
    /// @return false if the queue is full
    public boolean sendInlineWithInvalidate(int remoteKey, MemorySegment source) {
        return messageInline(WorkRequestOpcode.SEND_WITH_INVALIDATE, source, 0, source.byteSize(), remoteKey);
    }

    /// Writes a part of a region to the peer's memory. The peer notices nothing.
    /// @return false if the queue is full
    public boolean rdmaWrite(MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        return oneSided(
                WorkRequestOpcode.RDMA_WRITE, region, offset, length, remote.address(), remote.length(),
                remote.remoteKey(), remoteOffset, 0);
    }

    /// Writes local memory to remote memory of at least the same length.
    /// @return false if the queue is full
    public boolean rdmaWrite(LocalMemory local, RemoteMemory remote) {
        return rdmaWrite(local.region(), local.offset(), local.length(), remote, 0);
    }

    /// Writes the parts to the peer's memory, one behind the other.
    /// @return false if the queue is full
    public boolean rdmaWrite(RemoteMemory remote, LocalMemory... parts) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE, parts, remote, 0);
    }

    /// Writes the listed buffers to the peer's memory, one behind the other.
    /// @return false if the queue is full
    public boolean rdmaWrite(ScatterGatherList list, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE, list, remote, remoteOffset, 0);
    }

    /// Writes a copy of `source` to the peer's memory.
    /// @return false if the queue is full
    public boolean rdmaWriteInline(MemorySegment source, RemoteMemory remote, long remoteOffset) {
        return oneSidedInline(WorkRequestOpcode.RDMA_WRITE, source, remote, remoteOffset, 0);
    }

    /// Writes, consumes a receive of the peer's, and gives it a number in its completion.
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(
            int immediateData, MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        return oneSided(
                WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, region, offset, length, remote.address(), remote.length(),
                remote.remoteKey(), remoteOffset, immediateData);
    }

    /// Writes the parts, consumes a receive of the peer's, and gives it a number in its completion.
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(int immediateData, RemoteMemory remote, LocalMemory... parts) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, parts, remote, immediateData);
    }

    /// Writes the listed buffers, consumes a receive of the peer's, and gives it a number in its completion.
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(
            int immediateData, ScatterGatherList list, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, list, remote, remoteOffset, immediateData);
    }

    /// Writes a copy of `source`, consumes a receive of the peer's, and gives it a number in its completion.
    /// @return false if the queue is full
    public boolean rdmaWriteInlineWithImmediate(
            int immediateData, MemorySegment source, RemoteMemory remote, long remoteOffset) {
        return oneSidedInline(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, source, remote, remoteOffset, immediateData);
    }

    /// Reads the peer's memory into a part of a region, which needs `LOCAL_WRITE`.
    /// @return false if the queue is full
    public boolean rdmaRead(MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        return read(region, offset, length, remote.address(), remote.length(), remote.remoteKey(), remoteOffset);
    }

    /// Reads remote memory into local memory of at most the same length.
    /// @return false if the queue is full
    public boolean rdmaRead(LocalMemory local, RemoteMemory remote) {
        return rdmaRead(local.region(), local.offset(), local.length(), remote, 0);
    }

    /// Reads the peer's memory into the parts, one behind the other. Their regions need `LOCAL_WRITE`.
    /// @return false if the queue is full
    public boolean rdmaRead(RemoteMemory remote, LocalMemory... parts) {
        return read(remote, parts);
    }

    /// Reads the peer's memory into the listed buffers, one behind the other.
    /// @return false if the queue is full
    public boolean rdmaRead(ScatterGatherList list, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_READ, list, remote, remoteOffset, 0);
    }

    /// Replaces 8 bytes of the peer's, if they hold `expected`. The value they held arrives in the region.
    ///
    /// @param region takes the old value at `offset`, in the processor's byte order; needs `LOCAL_WRITE`
    /// @param remoteOffset must give an address that is a multiple of 8
    /// @return false if the queue is full
    public boolean compareAndSwap(
            MemoryRegion region, long offset, RemoteMemory remote, long remoteOffset, long expected, long replacement) {
        return atomic(WorkRequestOpcode.COMPARE_AND_SWAP, region, offset, remote, remoteOffset, expected, replacement);
    }

    /// Adds to 8 bytes of the peer's. The value they held arrives in the region.
    ///
    /// @param region takes the old value at `offset`, in the processor's byte order; needs `LOCAL_WRITE`
    /// @param remoteOffset must give an address that is a multiple of 8
    /// @return false if the queue is full
    public boolean fetchAndAdd(MemoryRegion region, long offset, RemoteMemory remote, long remoteOffset, long addend) {
        return atomic(WorkRequestOpcode.FETCH_AND_ADD, region, offset, remote, remoteOffset, addend, 0);
    }

    /// Writes 8 bytes of the peer's at once.
    ///
    /// @param value in the processor's byte order
    /// @return false if the queue is full
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel lack it ([io.verbs4j.types.Feature#ATOMIC_WRITE])
    public boolean atomicWrite(long value, RemoteMemory remote, long remoteOffset) {
        return writeAtomically(value, remote, remoteOffset);
    }

    /// Makes earlier writes to the peer's memory visible there, or persistent.
    /// @return false if the queue is full
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel lack it ([io.verbs4j.types.Feature#FLUSH_GLOBAL])
    public boolean flush(RemoteMemory remote, FlushType type, FlushLevel level) {
        return flushRemote(remote, type.value(), level.value());
    }

    /// Takes a key of our own out of service: that of a type 2 memory window, which must be bound. The key of one that is not, or
    /// no longer, makes rxe follow a null pointer, which stops the machine (`rxe_do_invalidate_mw`, rxe_mw.c).
    /// @return false if the queue is full
    public boolean localInvalidate(int key) {
        return invalidate(key);
    }

    /// Binds a memory window to a part of a region. The window's key changes; the peer learns it by
    /// [MemoryWindow#remote(RemoteMemory)] after the bind has completed. Should the bind fail, close the window: its key is no
    /// longer known then.
    ///
    /// @param region must grant [io.verbs4j.types.Access#MEMORY_WINDOW_BIND], and `LOCAL_WRITE` if the peer may write
    /// @param length bytes; 0 unbinds a window of type 1
    /// @param accessFlags bits of [io.verbs4j.types.Access]: what the peer may do through the window; with `ZERO_BASED`, of
    ///     type 2 only, the peer calls the first byte 0
    /// @return false if the queue is full
    /// @throws IllegalArgumentException if the bind cannot work: the region lacks a right that it needs, the window is of type 2 and
    ///     `length` is 0, or the rights are none of a window's
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_bind_mw.3.html">ibv_bind_mw(3)</a>
    public boolean bind(MemoryWindow window, MemoryRegion region, long offset, long length, int accessFlags) {
        return bindWindow(window, region, offset, length, accessFlags);
    }

    /// Binds a memory window to a part of a region, as [#bind(MemoryWindow, MemoryRegion, long, long, int)] does.
    ///
    /// @param part must not be empty for a window of type 2
    /// @param access what the peer may do through the window
    /// @return false if the queue is full
    public boolean bind(MemoryWindow window, LocalMemory part, Access... access) {
        return bindWindow(window, part.region(), part.offset(), part.length(), Access.mask(access));
    }

    /// Posts a send, RDMA write or RDMA read from plain numbers, unchecked against regions: for callers who keep addresses
    /// and keys themselves, and for tests that want the device to refuse.
    ///
    /// @param opcode one of [WorkRequestOpcode]
    /// @param length bytes
    /// @param remoteAddress the peer's address; 0 for sends
    /// @param remoteKey the peer's key; 0 for sends
    /// @param immediateDataOrKey immediate data, or the rkey to invalidate; else 0
    /// @return false if the queue is full
    public boolean post(
            int opcode, long localAddress, int length, int localKey, long remoteAddress, int remoteKey,
            int immediateDataOrKey) {
        return raw(opcode, localAddress, length, localKey, remoteAddress, remoteKey, immediateDataOrKey);
    }

    /// Posts an atomic from plain numbers, unchecked against regions.
    ///
    /// @param opcode [WorkRequestOpcode#COMPARE_AND_SWAP] or [WorkRequestOpcode#FETCH_AND_ADD]
    /// @param localAddress where the 8 bytes of the old value go
    /// @param remoteAddress the peer's address, a multiple of 8
    /// @param compareOrAdd the value that is expected, or the addend
    /// @param swap the replacement; 0 for an addition
    /// @return false if the queue is full
    public boolean postAtomic(
            int opcode, long localAddress, int localKey, long remoteAddress, int remoteKey, long compareOrAdd,
            long swap) {
        return rawAtomic(opcode, localAddress, localKey, remoteAddress, remoteKey, compareOrAdd, swap);
    }

    /// Hands the work requests over to the device, with one doorbell for all, and ends the batch.
    ///
    /// @return how many there were
    /// @throws VerbsException if the doorbell fails; the work requests are posted all the same, and start with the next one
    public int submit() {
        lock.requireHere();
        int count;
        try {
            noteBinds();
            count = ops.publish();
            keepBinds();
        } finally {
            end();
        }
        if (count > 0) {
            int result = FlightRecords.doorbells()
                    ? FlightRecords.doorbell(queuePair.number(), count, ops::doorbell)
                    : ops.doorbell();
            if (result < 0) {
                throw doorbellFailed(-result);
            }
        }
        return count;
    }

    /// Ends the batch; without [#submit()] nothing of it is posted. Does nothing if the batch has ended.
    @Override
    public void close() {
        if (!lock.isHere()) {
            return;
        }
        try {
            ops.abandon();
        } finally {
            end();
        }
    }

    private void end() {
        takeBackBinds();
        lock.closed();
        lock.unlock();
    }
}

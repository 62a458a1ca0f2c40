// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends that are posted together: `try (var batch = queuePair.beginSend()) { batch.send(…); … batch.submit(); }`.
///
/// Each method writes one work request into the ring, where the device does not see it yet, and returns whether there was room.
/// [#submit()] hands all of them over with one doorbell; a batch that is closed without it posts nothing. The modifiers
/// ([#workRequestId(long)], [#signaled()], [#solicited()], [#fence()], [#to]) apply to the next work request only,
/// whether there was room for it or not. One that is refused with an exception leaves them set for the one after it.
///
/// The batch holds the queue's lock from begin to end and belongs to the thread that began it. It is the same object each
/// time, so posting allocates nothing.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
public final class SendBatch implements AutoCloseable {
    private final QueuePair queuePair;
    private final ProtectionDomain domain;
    private final SendQueueOps ops;
    private final boolean datagram;
    private final BatchOwner owner;
    /// Windows that the open batch binds.
    private final ArrayList<MemoryWindow> bound = new ArrayList<>();
    /// The next work request, with its modifiers.
    private final SendRequest request = new SendRequest();
    private @Nullable AddressHandle destination;
    private int remoteQueuePair;
    private int remoteQkey;

    SendBatch(QueuePair queuePair, ProtectionDomain domain, SendQueueOps ops, boolean datagram) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.ops = ops;
        this.datagram = datagram;
        this.owner = new BatchOwner("batch of sends on " + queuePair);
    }

    /// The caller holds the queue's lock.
    void begin() {
        owner.requireIdle();
        ops.begin();
        owner.begin();
        resetModifiers();
    }

    BatchOwner owner() {
        return owner;
    }

    void requireIdle() {
        owner.requireIdle();
    }

    void requireNotHere() {
        owner.requireNotHere();
    }

    /// Sets the identifier that the next work request's completion will carry; else it is 0.
    public SendBatch workRequestId(long id) {
        request.workRequestId(id);
        return this;
    }

    /// The next work request completes visibly. (Failures always do.)
    public SendBatch signaled() {
        request.flags(request.flags() | SendFlags.SIGNALED);
        return this;
    }

    /// The next message counts for a peer's queue that is armed for solicited messages only.
    public SendBatch solicited() {
        request.flags(request.flags() | SendFlags.SOLICITED);
        return this;
    }

    /// The next work request waits until all earlier RDMA reads and atomics of this queue are done (IBA vol. 1, 10.8.3.3).
    ///
    /// Fence sends and writes, and post no read or atomic behind them until they have completed: a fenced work request that
    /// has to be sent again hangs under rxe, without an error, while a read or an atomic is under way, be it itself or a later
    /// one (`rxe_wqe_is_fenced`, rxe_req.c). rxe's timer makes it send again now and then without need.
    public SendBatch fence() {
        request.flags(request.flags() | SendFlags.FENCE);
        return this;
    }

    /// Sets all flags of the next work request.
    void flags(int value) {
        request.flags(value);
    }

    /// Where the next datagram goes.
    ///
    /// @param handle the path
    /// @param queuePairNumber the peer's queue pair
    /// @param qkey the peer's Q_Key
    public SendBatch to(AddressHandle handle, int queuePairNumber, int qkey) {
        if (!datagram) {
            throw new IllegalStateException(queuePair + " is connected: only datagrams have a destination each");
        }
        destination = handle;
        remoteQueuePair = queuePairNumber;
        remoteQkey = qkey;
        return this;
    }

    /// Sends a part of a region.
    ///
    /// @return false if the queue is full
    public boolean send(MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND, region, offset, length, 0);
    }

    /// Sends a part of a region.
    ///
    /// @return false if the queue is full
    public boolean send(LocalMemory memory) {
        return send(memory.region(), memory.offset(), memory.length());
    }

    /// Sends the listed buffers as one message.
    ///
    /// @return false if the queue is full
    public boolean send(ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND, list, 0);
    }

    /// Sends a copy of `source`, which may be on the heap and may change right after.
    ///
    /// @return false if the queue is full
    public boolean sendInline(MemorySegment source) {
        return messageInline(WorkRequestOpcode.SEND, source, 0, source.byteSize(), 0);
    }

    /// Sends a copy of a part of `source`.
    ///
    /// @return false if the queue is full
    public boolean sendInline(MemorySegment source, long offset, long length) {
        return messageInline(WorkRequestOpcode.SEND, source, offset, length, 0);
    }

    /// Sends with a number that the peer finds in its completion.
    ///
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND_WITH_IMMEDIATE, region, offset, length, immediateData);
    }

    /// Sends with a number that the peer finds in its completion.
    ///
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, LocalMemory memory) {
        return sendWithImmediate(immediateData, memory.region(), memory.offset(), memory.length());
    }

    /// Sends with a number that the peer finds in its completion.
    ///
    /// @return false if the queue is full
    public boolean sendWithImmediate(int immediateData, ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND_WITH_IMMEDIATE, list, immediateData);
    }

    /// Sends a copy of `source`, with a number that the peer finds in its completion.
    ///
    /// @return false if the queue is full
    public boolean sendInlineWithImmediate(int immediateData, MemorySegment source) {
        return messageInline(
                WorkRequestOpcode.SEND_WITH_IMMEDIATE, source, 0, source.byteSize(), immediateData);
    }

    /// Sends, and takes a key of the peer's out of service there.
    ///
    /// @param remoteKey rkey of a memory window of the peer
    /// @return false if the queue is full
    public boolean sendWithInvalidate(int remoteKey, MemoryRegion region, long offset, long length) {
        return message(WorkRequestOpcode.SEND_WITH_INVALIDATE, region, offset, length, remoteKey);
    }

    /// Sends the listed buffers as one message, and takes a key of the peer's out of service there.
    ///
    /// @param remoteKey rkey of a memory window of the peer
    /// @return false if the queue is full
    public boolean sendWithInvalidate(int remoteKey, ScatterGatherList list) {
        return message(WorkRequestOpcode.SEND_WITH_INVALIDATE, list, remoteKey);
    }

    /// Sends a copy of `source`, and takes a key of the peer's out of service there.
    ///
    /// @param remoteKey rkey of a memory window of the peer
    /// @return false if the queue is full
    public boolean sendInlineWithInvalidate(int remoteKey, MemorySegment source) {
        return messageInline(WorkRequestOpcode.SEND_WITH_INVALIDATE, source, 0, source.byteSize(), remoteKey);
    }

    /// Writes a part of a region to the peer's memory. The peer notices nothing.
    ///
    /// @return false if the queue is full
    public boolean rdmaWrite(
            MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE, region, offset, length, remote, remoteOffset, 0);
    }

    /// Writes local memory to remote memory of at least the same length.
    ///
    /// @return false if the queue is full
    public boolean rdmaWrite(LocalMemory local, RemoteMemory remote) {
        return rdmaWrite(local.region(), local.offset(), local.length(), remote, 0);
    }

    /// Writes the listed buffers to the peer's memory, one behind the other.
    ///
    /// @return false if the queue is full
    public boolean rdmaWrite(ScatterGatherList list, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE, list, remote, remoteOffset, 0);
    }

    /// Writes a copy of `source` to the peer's memory.
    ///
    /// @return false if the queue is full
    public boolean rdmaWriteInline(MemorySegment source, RemoteMemory remote, long remoteOffset) {
        return oneSidedInline(WorkRequestOpcode.RDMA_WRITE, source, remote, remoteOffset, 0);
    }

    /// Writes, consumes a receive of the peer's, and tells it a number in its completion.
    ///
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(
            int immediateData, MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        return oneSided(
                WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                region,
                offset,
                length,
                remote,
                remoteOffset,
                immediateData);
    }

    /// Writes, consumes a receive of the peer's, and tells it a number in its completion.
    ///
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(int immediateData, LocalMemory local, RemoteMemory remote) {
        return rdmaWriteWithImmediate(
                immediateData, local.region(), local.offset(), local.length(), remote, 0);
    }

    /// Writes the listed buffers, consumes a receive of the peer's, and tells it a number in its completion.
    ///
    /// @return false if the queue is full
    public boolean rdmaWriteWithImmediate(
            int immediateData, ScatterGatherList list, RemoteMemory remote, long remoteOffset) {
        return oneSided(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, list, remote, remoteOffset, immediateData);
    }

    /// Writes a copy of `source`, consumes a receive of the peer's, and tells it a number in its completion.
    ///
    /// @return false if the queue is full
    public boolean rdmaWriteInlineWithImmediate(
            int immediateData, MemorySegment source, RemoteMemory remote, long remoteOffset) {
        return oneSidedInline(
                WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, source, remote, remoteOffset, immediateData);
    }

    /// Reads the peer's memory into a part of a region, which needs `LOCAL_WRITE`.
    ///
    /// @return false if the queue is full
    public boolean rdmaRead(
            MemoryRegion region, long offset, long length, RemoteMemory remote, long remoteOffset) {
        region.requireLocalWrite("an RDMA read");
        return oneSided(WorkRequestOpcode.RDMA_READ, region, offset, length, remote, remoteOffset, 0);
    }

    /// Reads remote memory into local memory of at most the same length.
    ///
    /// @return false if the queue is full
    public boolean rdmaRead(LocalMemory local, RemoteMemory remote) {
        return rdmaRead(local.region(), local.offset(), local.length(), remote, 0);
    }

    /// Reads the peer's memory into the listed buffers, one behind the other.
    ///
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
        return atomic(
                WorkRequestOpcode.COMPARE_AND_SWAP, region, offset, remote, remoteOffset, expected, replacement);
    }

    /// Adds to 8 bytes of the peer's. The value they held arrives in the region.
    ///
    /// @param region takes the old value at `offset`, in the processor's byte order; needs `LOCAL_WRITE`
    /// @param remoteOffset must give an address that is a multiple of 8
    /// @return false if the queue is full
    public boolean fetchAndAdd(
            MemoryRegion region, long offset, RemoteMemory remote, long remoteOffset, long addend) {
        return atomic(WorkRequestOpcode.FETCH_AND_ADD, region, offset, remote, remoteOffset, addend, 0);
    }

    /// Writes 8 bytes of the peer's at once.
    ///
    /// @param value in the processor's byte order
    /// @return false if the queue is full
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel lack it ([io.verbs4j.types.Feature#ATOMIC_WRITE])
    public boolean atomicWrite(long value, RemoteMemory remote, long remoteOffset) {
        requireConnected();
        long remoteAddress = remoteAddress(remote, remoteOffset, Long.BYTES);
        return posted(
                ops.post(request.atomic(WorkRequestOpcode.ATOMIC_WRITE, remoteAddress, remote.remoteKey(), value, 0)));
    }

    /// Makes earlier writes to the peer's memory visible there, or persistent.
    ///
    /// @return false if the queue is full
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel lack it ([io.verbs4j.types.Feature#FLUSH_GLOBAL])
    public boolean flush(RemoteMemory remote, FlushType type, FlushLevel level) {
        requireConnected();
        Ranges.check("remote.length", remote.length(), 0, Integer.MAX_VALUE);
        return posted(ops.post(request.flush(
                WorkRequestOpcode.FLUSH,
                remote.address(),
                (int) remote.length(),
                remote.remoteKey(),
                type.value(),
                level.value())));
    }

    /// Takes a key of our own out of service: that of a type 2 memory window, which must be bound. The key of one that is not, or
    /// no longer, makes rxe follow a null pointer, which stops the machine (`rxe_do_invalidate_mw`, rxe_mw.c).
    ///
    /// @return false if the queue is full
    public boolean localInvalidate(int key) {
        requireConnected();
        return posted(ops.post(request.message(WorkRequestOpcode.LOCAL_INVALIDATE, key)));
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
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_bind_mw.3.html">ibv_bind_mw(3)</a>
    public boolean bind(MemoryWindow window, MemoryRegion region, long offset, long length, int accessFlags) {
        requireConnected();
        long address = region.addressFor(domain, offset, length);
        int newKey = window.nextKey(domain);
        boolean posted = posted(ops.post(request.bind(
                WorkRequestOpcode.BIND_MEMORY_WINDOW,
                window.remoteKey(),
                newKey,
                region.localKey(),
                address,
                length,
                accessFlags)));
        if (posted) {
            window.bound(newKey);
            bound.add(window);
        }
        return posted;
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
            int opcode,
            long localAddress,
            int length,
            int localKey,
            long remoteAddress,
            int remoteKey,
            int immediateDataOrKey) {
        requireConnected();
        if (opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD) {
            throw new IllegalArgumentException("opcode=" + WorkRequestOpcode.name(opcode)
                    + " has operands: compareAndSwap and fetchAndAdd post it");
        }
        request.oneSided(opcode, immediateDataOrKey, remoteAddress, remoteKey);
        return posted(ops.post(request, localAddress, length, localKey));
    }

    /// Posts a prepared work request as it stands now. It brings its own identifier and flags, so this batch's modifiers must not
    /// be set.
    ///
    /// @return false if the queue is full
    /// @throws IllegalArgumentException if it was prepared for another queue pair
    /// @throws IllegalStateException if one of its regions is closed or was changed, or a modifier is set
    public boolean post(PreparedSend prepared) {
        owner.requireHere();
        if ((request.workRequestId() | request.flags()) != 0 || destination != null) {
            throw new IllegalStateException(
                    prepared + " has modifiers of its own: set them there, not on the batch");
        }
        return prepared.addTo(queuePair, ops, request) == PostResult.POSTED || full();
    }

    /// Local memory as the device is told of it.
    ScatterGatherList list(List<LocalMemory> parts) {
        return LocalMemory.list(parts, domain);
    }

    private boolean message(int opcode, MemoryRegion region, long offset, long length, int immediateDataOrKey) {
        owner.requireHere();
        int bytes = messageLength(length);
        long address = region.addressFor(domain, offset, length);
        aim(opcode, immediateDataOrKey);
        return posted(ops.post(request, address, bytes, region.localKey()));
    }

    private boolean message(int opcode, ScatterGatherList list, int immediateDataOrKey) {
        owner.requireHere();
        messageLength(list.totalLength());
        aim(opcode, immediateDataOrKey);
        return posted(ops.post(request, list));
    }

    private boolean messageInline(
            int opcode, MemorySegment source, long offset, long length, int immediateDataOrKey) {
        owner.requireHere();
        int bytes = messageLength(length);
        aim(opcode, immediateDataOrKey);
        return posted(ops.postInline(request, source, offset, bytes));
    }

    /// Makes the next work request a message to the peer, or to the destination of a datagram.
    private void aim(int opcode, int immediateDataOrKey) {
        request.message(opcode, immediateDataOrKey);
        if (datagram) {
            request.to(requireDestination().providerFor(domain), remoteQueuePair, remoteQkey);
        }
    }

    private boolean oneSided(
            int opcode,
            MemoryRegion region,
            long offset,
            long length,
            RemoteMemory remote,
            long remoteOffset,
            int immediateData) {
        requireConnected();
        int bytes = messageLength(length);
        long address = region.addressFor(domain, offset, length);
        request.oneSided(opcode, immediateData, remoteAddress(remote, remoteOffset, length), remote.remoteKey());
        return posted(ops.post(request, address, bytes, region.localKey()));
    }

    private boolean oneSided(
            int opcode, ScatterGatherList list, RemoteMemory remote, long remoteOffset, int immediateData) {
        requireConnected();
        messageLength(list.totalLength());
        long remoteAddress = remoteAddress(remote, remoteOffset, list.totalLength());
        return posted(ops.post(request.oneSided(opcode, immediateData, remoteAddress, remote.remoteKey()), list));
    }

    private boolean oneSidedInline(
            int opcode, MemorySegment source, RemoteMemory remote, long remoteOffset, int immediateData) {
        requireConnected();
        int bytes = messageLength(source.byteSize());
        request.oneSided(opcode, immediateData, remoteAddress(remote, remoteOffset, bytes), remote.remoteKey());
        return posted(ops.postInline(request, source, 0, bytes));
    }

    private boolean atomic(
            int opcode,
            MemoryRegion region,
            long offset,
            RemoteMemory remote,
            long remoteOffset,
            long compareOrAdd,
            long swap) {
        requireConnected();
        region.requireLocalWrite("an atomic");
        long address = region.addressFor(domain, offset, Long.BYTES);
        long remoteAddress = remoteAddress(remote, remoteOffset, Long.BYTES);
        request.atomic(opcode, remoteAddress, remote.remoteKey(), compareOrAdd, swap);
        return posted(ops.post(request, address, Long.BYTES, region.localKey()));
    }

    static long remoteAddress(RemoteMemory remote, long offset, long length) {
        if (offset < 0 || offset > remote.length() - length) {
            throw new IndexOutOfBoundsException(
                    "remoteOffset=" + offset + " length=" + length + " leaves the remote memory of " + remote.length()
                            + " bytes");
        }
        return remote.address() + offset;
    }

    private static int messageLength(long length) {
        return (int) Ranges.check("length", length, 0, Integer.MAX_VALUE);
    }

    private boolean posted(int result) {
        resetModifiers();
        return result == PostResult.POSTED || full();
    }

    private boolean full() {
        FlightRecords.queueFull(queuePair);
        return false;
    }

    private void resetModifiers() {
        request.workRequestId(0).flags(0);
        destination = null;
    }

    private AddressHandle requireDestination() {
        AddressHandle handle = destination;
        if (handle == null) {
            throw new IllegalStateException(
                    "a datagram needs a destination: call to(addressHandle, qpn, qkey) before it");
        }
        return handle;
    }

    private void requireConnected() {
        owner.requireHere();
        if (datagram) {
            throw new IllegalStateException(queuePair + " is a datagram queue pair: it can only send");
        }
    }

    /// Hands the work requests over to the device, with one doorbell for all, and ends the batch.
    ///
    /// @return how many there were
    /// @throws VerbsException if the doorbell fails; the work requests are posted all the same, and start with the next one
    public int submit() {
        owner.requireHere();
        int count;
        try {
            for (int i = 0; i < bound.size(); i++) {
                bound.get(i).boundThrough(queuePair);
            }
            count = ops.publish();
            if (!bound.isEmpty()) {
                bound.clear();
            }
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

    private RuntimeException doorbellFailed(int errno) {
        return errno == Errno.EBADF || !queuePair.isUsable()
                ? queuePair.closed()
                : KernelErrors.failure(
                        "ring the doorbell of " + queuePair,
                        errno,
                        errno == Errno.EINVAL
                                ? "the kernel has the queue pair below RTS; the work requests start when it gets there and"
                                        + " the next batch is submitted"
                                : errno == Errno.EACCES
                                        ? "the process changed its credentials or forked after it opened the device"
                                        : "");
    }

    /// Ends the batch; without [#submit()] nothing of it is posted. Does nothing if the batch has ended.
    @Override
    public void close() {
        if (!owner.isHere()) {
            return;
        }
        try {
            ops.abandon();
        } finally {
            end();
        }
    }

    private void end() {
        while (!bound.isEmpty()) {
            bound.removeLast().notBound();
        }
        owner.end();
        queuePair.unlockSend();
    }
}

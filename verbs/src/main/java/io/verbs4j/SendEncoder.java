// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way of a work request into the ring of a batch: its modifiers, the checks of its memory, and the element that the
/// provider writes. [SendBatch] has the operations, each of which is one call here.
///
/// An operation takes the modifiers whatever comes of it: they are cleared by what follows it, so that a refusal needs no care.
abstract sealed class SendEncoder permits SendBatch {
    final QueuePair queuePair;
    final SendQueueOps ops;
    final BatchLock lock;
    private final ProtectionDomain domain;
    private final boolean datagram;
    /// Windows that the open batch binds.
    private final ArrayList<MemoryWindow> bound = new ArrayList<>();
    /// The next work request, with its modifiers.
    private final SendRequest request = new SendRequest();
    /// True if the modifiers are those of a work request that is past, posted or not.
    private boolean past;
    private @Nullable AddressHandle destination;
    private int remoteQueuePair;
    private int remoteQkey;

    SendEncoder(
            QueuePair queuePair, ProtectionDomain domain, SendQueueOps ops, boolean datagram, BatchLock lock) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.ops = ops;
        this.datagram = datagram;
        this.lock = lock;
    }

    final void id(long id) {
        next().workRequestId(id);
    }

    final void addFlag(int bit) {
        SendRequest modified = next();
        modified.flags(modified.flags() | bit);
    }

    final void flags(int value) {
        next().flags(value);
    }

    final void destination(AddressHandle handle, int queuePairNumber, int qkey) {
        if (!datagram) {
            past = true;
            throw new IllegalStateException(queuePair + " is connected: only datagrams have a destination each");
        }
        next();
        destination = handle;
        remoteQueuePair = queuePairNumber;
        remoteQkey = qkey;
    }

    final void clearModifiers() {
        request.workRequestId(0).flags(0);
        destination = null;
        past = false;
    }

    /// The work request whose modifiers are being set.
    private SendRequest next() {
        if (past) {
            clearModifiers();
        }
        return request;
    }

    /// Begins a work request with the modifiers that were set for it.
    private void take() {
        lock.requireHere();
        next();
        past = true;
    }

    final boolean message(int opcode, MemoryRegion region, long offset, long length, int immediateDataOrKey) {
        take();
        int bytes = messageLength(length);
        long address = region.addressFor(domain, offset, length);
        aim(opcode, immediateDataOrKey);
        return posted(ops.post(request, address, bytes, region.localKey()));
    }

    final boolean message(int opcode, ScatterGatherList list, int immediateDataOrKey) {
        take();
        return messageOf(list, opcode, immediateDataOrKey);
    }

    final boolean message(int opcode, LocalMemory[] parts, int immediateDataOrKey) {
        take();
        return messageOf(list(parts), opcode, immediateDataOrKey);
    }

    private boolean messageOf(ScatterGatherList list, int opcode, int immediateDataOrKey) {
        messageLength(list.totalLength());
        aim(opcode, immediateDataOrKey);
        return posted(ops.post(request, list));
    }

    final boolean messageInline(int opcode, MemorySegment source, long offset, long length, int immediateDataOrKey) {
        take();
        int bytes = messageLength(length);
        aim(opcode, immediateDataOrKey);
        return posted(ops.postInline(request, source, offset, bytes));
    }

    /// Makes the work request a message to the peer, or to the destination of a datagram.
    private void aim(int opcode, int immediateDataOrKey) {
        request.message(opcode, immediateDataOrKey);
        if (datagram) {
            request.to(requireDestination().providerFor(domain), remoteQueuePair, remoteQkey);
        }
    }

    /// The remote memory comes in parts: this method is too long to be inlined into its callers, and an object that is passed to
    /// it, such as a fresh one of [MemoryRegion#remote()], would be allocated.
    final boolean oneSided(
            int opcode,
            MemoryRegion region,
            long offset,
            long length,
            long remoteStart,
            long remoteLength,
            int remoteKey,
            long remoteOffset,
            int immediateData) {
        takeConnected();
        int bytes = messageLength(length);
        long address = region.addressFor(domain, offset, length);
        request.oneSided(
                opcode, immediateData, remoteAddress(remoteStart, remoteLength, remoteOffset, length), remoteKey);
        return posted(ops.post(request, address, bytes, region.localKey()));
    }

    final boolean oneSided(
            int opcode, ScatterGatherList list, RemoteMemory remote, long remoteOffset, int immediateData) {
        takeConnected();
        return oneSidedOf(list, opcode, remote, remoteOffset, immediateData);
    }

    final boolean oneSided(int opcode, LocalMemory[] parts, RemoteMemory remote, int immediateData) {
        takeConnected();
        return oneSidedOf(list(parts), opcode, remote, 0, immediateData);
    }

    private boolean oneSidedOf(
            ScatterGatherList list, int opcode, RemoteMemory remote, long remoteOffset, int immediateData) {
        messageLength(list.totalLength());
        long remoteAddress = remoteAddress(remote, remoteOffset, list.totalLength());
        return posted(ops.post(request.oneSided(opcode, immediateData, remoteAddress, remote.remoteKey()), list));
    }

    final boolean oneSidedInline(
            int opcode, MemorySegment source, RemoteMemory remote, long remoteOffset, int immediateData) {
        takeConnected();
        int bytes = messageLength(source.byteSize());
        request.oneSided(opcode, immediateData, remoteAddress(remote, remoteOffset, bytes), remote.remoteKey());
        return posted(ops.postInline(request, source, 0, bytes));
    }

    /// Reads into a region, which has to be writable.
    final boolean read(
            MemoryRegion region,
            long offset,
            long length,
            long remoteStart,
            long remoteLength,
            int remoteKey,
            long remoteOffset) {
        takeConnected();
        region.requireLocalWrite("an RDMA read");
        int bytes = messageLength(length);
        long address = region.addressFor(domain, offset, length);
        long remoteAddress = remoteAddress(remoteStart, remoteLength, remoteOffset, length);
        request.oneSided(WorkRequestOpcode.RDMA_READ, 0, remoteAddress, remoteKey);
        return posted(ops.post(request, address, bytes, region.localKey()));
    }

    final boolean read(RemoteMemory remote, LocalMemory[] parts) {
        takeConnected();
        for (LocalMemory part : parts) {
            part.region().requireLocalWrite("an RDMA read");
        }
        return oneSidedOf(list(parts), WorkRequestOpcode.RDMA_READ, remote, 0, 0);
    }

    final boolean raw(
            int opcode,
            long localAddress,
            int length,
            int localKey,
            long remoteAddress,
            int remoteKey,
            int immediateDataOrKey) {
        takeConnected();
        if (isAtomic(opcode)) {
            throw new IllegalArgumentException(
                    "opcode=" + WorkRequestOpcode.name(opcode) + " has operands: postAtomic takes them");
        }
        request.oneSided(opcode, immediateDataOrKey, remoteAddress, remoteKey);
        return posted(ops.post(request, localAddress, length, localKey));
    }

    private static boolean isAtomic(int opcode) {
        return opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD;
    }

    final boolean atomic(
            int opcode,
            MemoryRegion region,
            long offset,
            RemoteMemory remote,
            long remoteOffset,
            long compareOrAdd,
            long swap) {
        takeConnected();
        region.requireLocalWrite("an atomic");
        long address = region.addressFor(domain, offset, Long.BYTES);
        long remoteAddress = remoteAddress(remote, remoteOffset, Long.BYTES);
        request.atomic(opcode, remoteAddress, remote.remoteKey(), compareOrAdd, swap);
        return posted(ops.post(request, address, Long.BYTES, region.localKey()));
    }

    final boolean rawAtomic(
            int opcode,
            long localAddress,
            int localKey,
            long remoteAddress,
            int remoteKey,
            long compareOrAdd,
            long swap) {
        takeConnected();
        if (!isAtomic(opcode)) {
            throw new IllegalArgumentException(
                    "opcode=" + WorkRequestOpcode.name(opcode) + " is no compare-and-swap and no fetch-and-add");
        }
        request.atomic(opcode, remoteAddress, remoteKey, compareOrAdd, swap);
        return posted(ops.post(request, localAddress, Long.BYTES, localKey));
    }

    final boolean writeAtomically(long value, RemoteMemory remote, long remoteOffset) {
        takeConnected();
        long remoteAddress = remoteAddress(remote, remoteOffset, Long.BYTES);
        return posted(
                ops.post(request.atomic(WorkRequestOpcode.ATOMIC_WRITE, remoteAddress, remote.remoteKey(), value, 0)));
    }

    final boolean flushRemote(RemoteMemory remote, int type, int level) {
        takeConnected();
        Ranges.check("remote.length", remote.length(), 0, Integer.MAX_VALUE);
        return posted(ops.post(request.flush(
                WorkRequestOpcode.FLUSH, remote.address(), (int) remote.length(), remote.remoteKey(), type, level)));
    }

    final boolean invalidate(int key) {
        takeConnected();
        return posted(ops.post(request.message(WorkRequestOpcode.LOCAL_INVALIDATE, key)));
    }

    final boolean bindWindow(MemoryWindow window, MemoryRegion region, long offset, long length, int accessFlags) {
        takeConnected();
        long address = region.addressFor(domain, offset, length);
        int newKey = window.nextKey(domain);
        window.requireBindable(region, length, accessFlags);
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

    private ScatterGatherList list(LocalMemory[] parts) {
        return LocalMemory.list(List.of(parts), domain);
    }

    static long remoteAddress(RemoteMemory remote, long offset, long length) {
        return remoteAddress(remote.address(), remote.length(), offset, length);
    }

    private static long remoteAddress(long start, long size, long offset, long length) {
        if (offset < 0 || offset > size - length) {
            throw new IndexOutOfBoundsException(
                    "remoteOffset=" + offset + " length=" + length + " leaves the remote memory of " + size + " bytes");
        }
        return start + offset;
    }

    private static int messageLength(long length) {
        return (int) Ranges.check("length", length, 0, Integer.MAX_VALUE);
    }

    private boolean posted(int result) {
        return result == PostResult.POSTED || full();
    }

    private boolean full() {
        FlightRecords.queueFull(queuePair);
        return false;
    }

    private AddressHandle requireDestination() {
        AddressHandle handle = destination;
        if (handle == null) {
            throw new IllegalStateException(
                    "a datagram needs a destination: call to(addressHandle, qpn, qkey) before it");
        }
        return handle;
    }

    private void takeConnected() {
        take();
        if (datagram) {
            throw new IllegalStateException(queuePair + " is a datagram queue pair: it can only send");
        }
    }

    final RuntimeException doorbellFailed(int errno) {
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

    /// The binds of the batch are about to be handed over.
    final void noteBinds() {
        for (int i = 0; i < bound.size(); i++) {
            bound.get(i).boundThrough(queuePair);
        }
    }

    /// The binds of the batch are handed over.
    final void keepBinds() {
        if (!bound.isEmpty()) {
            bound.clear();
        }
    }

    /// Takes the binds back, unless they were handed over.
    final void takeBackBinds() {
        while (!bound.isEmpty()) {
            bound.removeLast().notBound();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Sends that are posted together:
///
/// ```java
/// try (var batch = queuePair.beginSend()) {
///     batch.write().local(memory, 0, 64).remote(theirs, 128).signaled().workRequestId(7).post();
///     …
///     batch.submit();
/// }
/// ```
/// The methods of [SendOperations] describe the next work request. [#post()] writes the work request into the ring and
/// returns whether there was room. [#submit()] hands all posted work requests to the device with one doorbell. A batch
/// that is closed without [#submit()] posts none. [#post()] ends the description, even if it rejects the work request
/// or the queue is full.
///
/// The batch holds the queue's lock until it ends, and belongs to the thread that began it. The object is reused, so
/// posting allocates nothing.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
public final class SendBatch extends SendOperations<SendBatch> implements AutoCloseable {
    private final QueuePair queuePair;
    private final ProtectionDomain domain;
    private final SendQueueOps ops;
    private final boolean datagram;
    private final BatchLock lock;
    /// Rights of the region that contains the buffer: bits of [io.verbs4j.types.Access].
    private int regionRights;
    /// Windows that the open batch binds.
    private final ArrayList<MemoryWindow> bound = new ArrayList<>();

    SendBatch(QueuePair queuePair, ProtectionDomain domain, SendQueueOps ops, boolean datagram, BatchLock lock) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.ops = ops;
        this.datagram = datagram;
        this.lock = lock;
    }

    /// The caller holds the queue's lock.
    void begin() {
        lock.requireIdle();
        revertBinds(); // of a batch that its thread has left open
        ops.begin();
        lock.opened();
        described = 0;
    }

    @Override
    SendBatch next() {
        return this;
    }

    @Override
    public SendBatch to(AddressHandle handle, int queuePairNumber, int qkey) {
        int now = described;
        described = 0; // in case the next lines reject it
        if (!datagram) {
            throw new IllegalStateException(queuePair + " is connected: only datagrams have a destination each");
        }
        request.to(handle.providerFor(domain), queuePairNumber, qkey);
        described = now | DESTINATION;
        return this;
    }

    @Override
    public SendBatch local(MemoryRegion region, long offset, long length) {
        int now = described & ~(LOCAL | READ_ONLY);
        described = 0; // in case the next line rejects it
        localAddress = region.addressFor(domain, offset, length);
        localLength = length;
        MemoryRegion.Registration registration = region.registration();
        localKey = registration.localKey();
        regionRights = registration.access();
        described = now | BUFFER | IN_REGION | (registration.grantsLocalWrite() ? 0 : READ_ONLY);
        return this;
    }

    @Override
    public SendBatch local(LocalMemory... parts) {
        return parts.length == 1 ? local(parts[0]) : local(List.of(parts));
    }

    private SendBatch local(LocalMemory part) {
        return local(part.region(), part.offset(), part.length());
    }

    SendBatch local(List<LocalMemory> parts) {
        if (parts.size() == 1) {
            return local(parts.getFirst());
        }
        int now = described & ~(LOCAL | READ_ONLY);
        described = 0; // in case the next line rejects it
        list = LocalMemory.list(parts, domain);
        localLength = list.totalLength();
        boolean writable = parts.stream().allMatch(part -> part.region().registration().grantsLocalWrite());
        described = now | LIST | (writable ? 0 : READ_ONLY);
        return this;
    }

    /// Describes the next work request with the parts of a value. Later calls can replace parts, for example the local
    /// memory.
    ///
    /// @throws IllegalStateException if an operation is already described but not posted
    public SendBatch like(SendWorkRequest value) {
        if ((described & OPERATION) != 0) {
            described = 0;
            throw notPosted();
        }
        set(value);
        value.describe(this);
        return this;
    }

    /// Describes the next work request with a value and posts it.
    ///
    /// @return false if the queue is full
    public boolean post(SendWorkRequest value) {
        return like(value).post();
    }

    /// Posts the work request that was described.
    ///
    /// @return false if the queue is full
    /// @throws IllegalArgumentException if its parts do not fit together, or the device does not accept it
    /// @throws IndexOutOfBoundsException if the local memory is longer than the remote memory
    /// @throws IllegalStateException if there is no operation, a datagram has no destination, or a datagram queue pair
    ///     gets another operation than a send
    /// @throws io.verbs4j.types.NotSupportedException if the device or the kernel does not support the operation
    public boolean post() {
        lock.requireHere();
        int now = described;
        described = 0;
        if ((now & OPERATION) == 0) {
            throw refusal(0, now, 0);
        }
        int opcode = completeRequest(now);
        int result = OpcodeSet.has(PLAIN, opcode) ? postPlain(opcode, now) : postTransfer(opcode, now);
        if (result != PostResult.POSTED) {
            FlightRecords.queueFull(queuePair);
        }
        return result == PostResult.POSTED;
    }

    /// Completes the request with default values.
    ///
    /// @return the opcode, adjusted to the modifiers
    private int completeRequest(int now) {
        request.flags(now & FLAGS);
        if ((now & IDENTIFIER) == 0) {
            request.workRequestId(0);
        }
        if ((now & REMOTE) == 0) {
            request.remote(0, 0);
        }
        if ((now & (IMMEDIATE | INVALIDATING)) != 0) {
            int modified = modified(request.opcode(), now);
            request.operation(modified);
            return modified;
        }
        if ((now & OWN_KEY) == 0) {
            request.immediateDataOrKey(0);
        }
        return request.opcode();
    }

    private static int modified(int opcode, int now) {
        switch (now & (IMMEDIATE | INVALIDATING)) {
            case IMMEDIATE -> {
                if (opcode == WorkRequestOpcode.SEND || opcode == WorkRequestOpcode.SEND_WITH_IMMEDIATE) {
                    return WorkRequestOpcode.SEND_WITH_IMMEDIATE;
                }
                if (opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE) {
                    return WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
                }
            }
            case INVALIDATING -> {
                if (opcode == WorkRequestOpcode.SEND || opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE) {
                    return WorkRequestOpcode.SEND_WITH_INVALIDATE;
                }
            }
            default -> {
                // A work request cannot have both.
            }
        }
        throw new IllegalArgumentException(WorkRequestOpcode.name(opcode)
                + " cannot have these modifiers: immediate data is for a send or a write, an invalidation for a send,"
                + " and a send takes one of the two");
    }

    private int postTransfer(int opcode, int now) {
        long length = (now & LOCAL) == 0 ? 0 : localLength;
        int bytes = (int) length;
        if (bytes != length
                || (OpcodeSet.has(ONE_SIDED, opcode) ? (now & REMOTE) == 0 || length > remoteLength
                        : (now & REMOTE) != 0)
                || ((now & READ_ONLY) != 0 && OpcodeSet.has(READS, opcode))
                || (datagram && ((now & DESTINATION) == 0 || !OpcodeSet.has(SENDS, opcode)))) {
            throw refusal(opcode, now, length);
        }
        if ((now & BUFFER) != 0) {
            return ops.post(request, localAddress, bytes, localKey);
        }
        if ((now & LIST) != 0) {
            return ops.post(request, Objects.requireNonNull(list));
        }
        return (now & INLINE) != 0
                ? ops.postInline(request, Objects.requireNonNull(source), sourceOffset, bytes)
                : ops.post(request, 0, 0, 0);
    }

    private int postPlain(int opcode, int now) {
        boolean binds = opcode == WorkRequestOpcode.BIND_MEMORY_WINDOW;
        long length = opcode == WorkRequestOpcode.ATOMIC_WRITE ? Long.BYTES : 0;
        if (datagram
                || (OpcodeSet.has(ONE_SIDED, opcode) ? (now & REMOTE) == 0 || length > remoteLength
                        : (now & REMOTE) != 0)) {
            throw refusal(opcode, now, length);
        }
        if (binds ? (now & BUFFER) == 0 : (now & LOCAL) != 0) {
            throw new IllegalArgumentException(WorkRequestOpcode.name(opcode)
                    + (binds ? " needs one part of a region as local memory" : " takes no local memory"));
        }
        if (binds) {
            return postBind(now);
        }
        if (opcode == WorkRequestOpcode.FLUSH) {
            int range = (int) Ranges.check("remote.length", remoteLength, 0, Integer.MAX_VALUE);
            request.flush(range, request.flushType(), request.flushLevel());
        }
        return ops.post(request);
    }

    private int postBind(int now) {
        MemoryWindow binding = (now & OWN_KEY) == 0 ? null : window; // not that of an earlier work request
        if (binding == null) {
            throw new IllegalArgumentException("a bind needs a window: use bind");
        }
        int newKey = binding.nextKey(domain);
        int rights = (now & IN_REGION) != 0 ? regionRights : MemoryWindow.UNKNOWN_RIGHTS;
        binding.requireBindable(request.windowAccess(), localLength, localKey, rights);
        request.immediateDataOrKey(binding.remoteKey());
        int result = ops.post(request.window(newKey, localKey, localAddress, localLength));
        if (result == PostResult.POSTED) {
            binding.bound(newKey);
            bound.add(binding);
        }
        return result;
    }

    /// Determines the reason of a rejection. Repeats checks, so that the fast path need not record their results.
    private RuntimeException refusal(int opcode, int now, long length) {
        String name = WorkRequestOpcode.name(opcode);
        if ((now & OPERATION) == 0) {
            return new IllegalStateException(
                    "no operation is described: call send(), write() or another one before post()");
        }
        if (datagram && !OpcodeSet.has(SENDS, opcode)) {
            return new IllegalStateException(queuePair + " is a datagram queue pair: it can only send");
        }
        if (datagram && (now & DESTINATION) == 0) {
            return new IllegalStateException(
                    "a datagram needs a destination: call to(addressHandle, qpn, qkey) before it is posted");
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            return new IllegalArgumentException("length=" + length + " is not in 0.." + Integer.MAX_VALUE);
        }
        boolean oneSided = OpcodeSet.has(ONE_SIDED, opcode);
        if (oneSided != ((now & REMOTE) != 0)) {
            return new IllegalArgumentException(
                    name + (oneSided ? " needs remote memory: describe it by remote" : " takes no remote memory"));
        }
        return oneSided && length > remoteLength
                ? new IndexOutOfBoundsException(
                        "length=" + length + " exceeds the remote memory of " + remoteLength + " bytes")
                : new IllegalArgumentException(name + " writes to local memory"
                        + ((now & BUFFER) != 0 ? " (lkey 0x" + Integer.toHexString(localKey) + ")" : "")
                        + ", which lacks LOCAL_WRITE");
    }

    /// Hands the posted work requests to the device with one doorbell, and ends the batch.
    ///
    /// @return the number of work requests
    /// @throws IllegalStateException if a work request is described but not posted
    /// @throws VerbsException if the doorbell fails; the work requests stay posted, and start with the next doorbell
    public int submit() {
        lock.requireHere();
        if ((described & OPERATION) != 0) {
            throw notPosted();
        }
        int count;
        try {
            noteBinds();
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
                                ? "the queue pair is not in RTS yet; the work requests start with the next batch"
                                        + " that is submitted in RTS"
                                : errno == Errno.EACCES
                                        ? "the process changed its credentials or forked after it opened the device"
                                        : "");
    }

    /// Ends the batch. Without [#submit()], none of its work requests is posted. Idempotent.
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

    /// Records the batch's binds as submitted, before the doorbell.
    private void noteBinds() {
        for (int i = 0; i < bound.size(); i++) {
            bound.get(i).boundThrough(queuePair);
        }
    }

    private void end() {
        revertBinds();
        lock.closed();
        lock.unlock();
    }

    /// Reverts the binds that were not submitted.
    private void revertBinds() {
        while (!bound.isEmpty()) {
            bound.removeLast().notBound();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A send work request that is checked and encoded once, then posted any number of times: for loops that post nearly the same
/// again and again. Posting copies it into the queue and checks only that its regions are still what they were.
///
/// ```java
/// var write = queuePair.prepare(SendWorkRequest.rdmaWrite(remote, memory.slice(0, 64)).withSignal());
/// for (long id = 0; id < rounds; id++) {
///     write.workRequestId(id).range(64 * (id % 16), 64, 64 * (id % 16));
///     while (!write.post()) { … }                     // alone, or in a batch: batch.post(write)
/// }
/// ```
/// Each setter changes one thing for all later posts; what was posted already keeps its values. A setter that throws changes
/// nothing: `IllegalStateException` if the operation has no such thing, `IllegalArgumentException` or
/// `IndexOutOfBoundsException` if the value is wrong. Setting and posting allocate nothing.
///
/// One thread at a time may use it. It needs no closing, and cannot be posted once its queue pair or one of its regions is
/// closed, or a region has changed its rights or its protection domain.
public final class PreparedSend {
    private final QueuePair queuePair;
    private final ProtectionDomain domain;
    private final SendTemplate template;
    private final int opcode;
    private final MemoryRegion[] regions;
    private final Object[] registrations;

    /// The only buffer, else null.
    private final @Nullable MemoryRegion region;

    private long localOffset;
    private long length;
    private @Nullable RemoteMemory remote;
    private long remoteOffset;
    private int flags;
    private @Nullable AddressHandle destination;
    private int remoteQueuePair;
    private int remoteQkey;

    /// Checks and encodes a work request once.
    static PreparedSend of(QueuePair queuePair, ProtectionDomain domain, SendQueueOps ops, SendWorkRequest request) {
        if (request.opcode() == WorkRequestOpcode.BIND_MEMORY_WINDOW) {
            throw new IllegalArgumentException("a bind gives its window another key each time: it cannot be prepared");
        }
        SendTemplate template = ops.prepare(recording -> {
            var encoder = new SendBatch(
                    queuePair,
                    domain,
                    recording,
                    queuePair.type() == QueuePairType.UD,
                    new BatchLock("work request that is prepared", false));
            encoder.begin();
            request.addTo(encoder);
        });
        return new PreparedSend(queuePair, domain, template, request);
    }

    private PreparedSend(QueuePair queuePair, ProtectionDomain domain, SendTemplate template, SendWorkRequest request) {
        List<LocalMemory> parts = request.parts();
        this.queuePair = queuePair;
        this.domain = domain;
        this.template = template;
        this.opcode = request.opcode();
        this.regions = parts.stream().map(LocalMemory::region).toArray(MemoryRegion[]::new);
        this.registrations = parts.stream().map(part -> part.region().registration()).toArray();
        this.region = parts.size() == 1 ? regions[0] : null;
        this.localOffset = parts.size() == 1 ? parts.getFirst().offset() : 0;
        this.length = request.length();
        this.remote = request.remote();
        this.flags = request.flags();
        var to = request.destination();
        if (to != null) {
            this.destination = to.handle();
            this.remoteQueuePair = to.queuePairNumber();
            this.remoteQkey = to.qkey();
        }
    }

    /// Sets the identifier that the completions carry.
    public PreparedSend workRequestId(long id) {
        template.workRequestId(id);
        return this;
    }

    /// Returns whether it completes visibly. (Failures always do.)
    public PreparedSend signaled(boolean yes) {
        return flag(SendFlags.SIGNALED, yes);
    }

    /// Returns whether its message counts for a peer's queue that is armed for solicited messages only.
    public PreparedSend solicited(boolean yes) {
        return flag(SendFlags.SOLICITED, yes);
    }

    /// Returns whether it waits until all earlier RDMA reads and atomics of the queue are done; for sends and writes
    /// ([why][SendBatch#fence()]).
    public PreparedSend fence(boolean yes) {
        return flag(SendFlags.FENCE, yes);
    }

    private PreparedSend flag(int bit, boolean yes) {
        int changed = yes ? flags | bit : flags & ~bit;
        template.flags(changed);
        flags = changed;
        return this;
    }

    /// Sets which part of its region it uses; the remote offset stays.
    ///
    /// @param offset first byte in the region
    /// @param bytes length; 8 for an atomic
    public PreparedSend local(long offset, long bytes) {
        checkRemote(remote, remoteOffset, bytes);
        setLocal(offset, bytes);
        return this;
    }

    /// Sets where in the remote memory it begins; the length stays.
    public PreparedSend remote(long offset) {
        return remote(requireRemote(), offset);
    }

    /// Sets other remote memory, and where in it the work request begins. A flush keeps the length that it was prepared with.
    public PreparedSend remote(RemoteMemory memory, long offset) {
        requireRemote();
        checkRemote(memory, offset, length);
        template.remote(memory.address() + offset, memory.remoteKey());
        remote = memory;
        remoteOffset = offset;
        return this;
    }

    /// Sets the part of its region, and where in the remote memory it begins.
    ///
    /// @param offset first byte in the region
    /// @param bytes length at both ends; 8 for an atomic
    /// @param remoteStart first byte in the remote memory
    public PreparedSend range(long offset, long bytes, long remoteStart) {
        RemoteMemory memory = requireRemote();
        checkRemote(memory, remoteStart, bytes);
        long formerOffset = localOffset;
        long formerLength = length;
        setLocal(offset, bytes);
        try {
            template.remote(memory.address() + remoteStart, memory.remoteKey());
        } catch (RuntimeException e) {
            setLocal(formerOffset, formerLength);
            throw e;
        }
        remoteOffset = remoteStart;
        return this;
    }

    private void setLocal(long offset, long bytes) {
        MemoryRegion only = region;
        if (only == null) {
            throw new IllegalStateException(
                    this + " has " + regions.length + " buffers: only a single one can be changed");
        }
        long address = only.addressFor(domain, offset, bytes);
        template.local(address, (int) Ranges.check("length", bytes, 0, Integer.MAX_VALUE), only.localKey());
        localOffset = offset;
        length = bytes;
    }

    private RemoteMemory requireRemote() {
        RemoteMemory memory = remote;
        if (memory == null) {
            throw new IllegalStateException(this + " has no remote memory");
        }
        return memory;
    }

    private static void checkRemote(@Nullable RemoteMemory memory, long offset, long bytes) {
        if (memory != null) {
            SendBatch.remoteAddress(memory, offset, bytes);
        }
    }

    /// Sets the number that the peer finds in its completion.
    public PreparedSend immediateData(int value) {
        require(
                opcode == WorkRequestOpcode.SEND_WITH_IMMEDIATE
                        || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                "immediate data");
        template.immediateDataOrKey(value);
        return this;
    }

    /// Sets the key that is taken out of service: the peer's of a send with invalidate, our own of a local invalidate.
    public PreparedSend invalidatedKey(int key) {
        require(
                opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE || opcode == WorkRequestOpcode.LOCAL_INVALIDATE,
                "key to invalidate");
        template.immediateDataOrKey(key);
        return this;
    }

    /// Sets what a compare-and-swap expects and what it stores.
    public PreparedSend operands(long expected, long replacement) {
        require(opcode == WorkRequestOpcode.COMPARE_AND_SWAP, "expected value and replacement");
        template.operands(expected, replacement);
        return this;
    }

    /// Sets what a fetch-and-add adds.
    public PreparedSend addend(long value) {
        require(opcode == WorkRequestOpcode.FETCH_AND_ADD, "addend");
        template.operands(value, 0);
        return this;
    }

    /// Sets what an atomic write writes.
    public PreparedSend value(long value) {
        require(opcode == WorkRequestOpcode.ATOMIC_WRITE, "value");
        template.value(value);
        return this;
    }

    /// Replaces the inline payload by a copy of `source`.
    public PreparedSend payload(MemorySegment source) {
        return payload(source, 0, source.byteSize());
    }

    /// Replaces the inline payload by a copy of a part of `source`, which may be on the heap.
    public PreparedSend payload(MemorySegment source, long offset, long bytes) {
        int count = (int) Ranges.check("length", bytes, 0, Integer.MAX_VALUE);
        checkRemote(remote, remoteOffset, bytes);
        template.inline(source, offset, count);
        length = bytes;
        return this;
    }

    private void require(boolean fits, String what) {
        if (!fits) {
            throw new IllegalStateException(this + " has no " + what);
        }
    }

    /// Sets where its datagrams go.
    ///
    /// @param handle the path
    /// @param queuePairNumber the peer's queue pair
    /// @param qkey the peer's Q_Key
    public PreparedSend to(AddressHandle handle, int queuePairNumber, int qkey) {
        if (destination == null) {
            throw new IllegalStateException(this + " is no datagram: it has no destination of its own");
        }
        destination = Objects.requireNonNull(handle);
        remoteQueuePair = queuePairNumber;
        remoteQkey = qkey;
        return this;
    }

    /// Posts it alone, with a doorbell of its own. In company: [SendBatch#post(PreparedSend)].
    ///
    /// @return false if the queue is full
    /// @throws IllegalStateException if the queue pair or a region is closed, or a region was changed
    public boolean post() {
        try (SendBatch batch = queuePair.beginSend()) {
            return batch.post(this) && batch.submit() == 1;
        }
    }

    /// Writes it into an open batch of the queue pair.
    ///
    /// @param to the batch's, to carry the destination of a datagram
    /// @return a [io.verbs4j.types.PostResult]
    @SuppressWarnings("ReferenceEquality") // a queue pair is only itself
    int addTo(QueuePair poster, SendQueueOps ops, SendRequest to) {
        if (poster != queuePair) {
            throw new IllegalArgumentException(this + " was prepared for another queue pair than " + poster);
        }
        MemoryRegion[] used = regions;
        for (int i = 0; i < used.length; i++) {
            used[i].requireUnchanged(registrations[i]);
        }
        AddressHandle handle = destination;
        return handle == null
                ? ops.post(template)
                : ops.postDatagram(template, to.to(handle.providerFor(domain), remoteQueuePair, remoteQkey));
    }

    @Override
    public String toString() {
        return "prepared " + WorkRequestOpcode.name(opcode) + " of " + queuePair;
    }
}

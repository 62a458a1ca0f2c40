// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Access;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A send work request as a value: for programs that collect work before they post it ([QueuePair#post(List)]). Immutable;
/// made by a static method per operation, refined by the `with` methods. Loops that must not allocate use [SendBatch].
public final class SendWorkRequest {
    /// Writes the operation into a batch.
    @FunctionalInterface
    private interface Operation {
        boolean addTo(SendBatch batch);
    }

    private final Operation operation;
    private final int opcode;
    private final List<LocalMemory> parts;
    private final long length;
    private final @Nullable RemoteMemory remote;
    private final long id;
    private final int flags;
    private final @Nullable Destination destination;

    /// Destination of a datagram.
    record Destination(AddressHandle handle, int queuePairNumber, int qkey) {}

    private SendWorkRequest(
            Operation operation,
            int opcode,
            List<LocalMemory> parts,
            long length,
            @Nullable RemoteMemory remote,
            long id,
            int flags,
            @Nullable Destination destination) {
        this.operation = operation;
        this.opcode = opcode;
        this.parts = parts;
        this.length = length;
        this.remote = remote;
        this.id = id;
        this.flags = flags;
        this.destination = destination;
    }

    private static SendWorkRequest of(
            int opcode, List<LocalMemory> parts, @Nullable RemoteMemory remote, Operation operation) {
        long length = parts.stream().mapToLong(LocalMemory::length).sum();
        return new SendWorkRequest(operation, opcode, parts, length, remote, 0, 0, null);
    }

    private static SendWorkRequest of(int opcode, long length, @Nullable RemoteMemory remote, Operation operation) {
        return new SendWorkRequest(operation, opcode, List.of(), length, remote, 0, 0, null);
    }

    /// A send of the parts as one message.
    public static SendWorkRequest send(LocalMemory... parts) {
        LocalMemory[] copy = parts.clone();
        return of(WorkRequestOpcode.SEND, List.of(copy), null, batch -> batch.send(copy));
    }

    /// A send of a copy of `source`, taken now.
    public static SendWorkRequest sendInline(MemorySegment source) {
        MemorySegment copy = copy(source);
        return of(WorkRequestOpcode.SEND, copy.byteSize(), null, batch -> batch.sendInline(copy));
    }

    /// A send with immediate data.
    public static SendWorkRequest sendWithImmediate(int immediateData, LocalMemory... parts) {
        LocalMemory[] copy = parts.clone();
        return of(
                WorkRequestOpcode.SEND_WITH_IMMEDIATE,
                List.of(copy),
                null,
                batch -> batch.sendWithImmediate(immediateData, copy));
    }

    /// A send that takes a key of the peer's out of service.
    public static SendWorkRequest sendWithInvalidate(int remoteKey, LocalMemory part) {
        return of(
                WorkRequestOpcode.SEND_WITH_INVALIDATE,
                List.of(part),
                null,
                batch -> batch.sendWithInvalidate(remoteKey, part));
    }

    /// An RDMA write of the parts, one behind the other.
    public static SendWorkRequest rdmaWrite(RemoteMemory remote, LocalMemory... parts) {
        LocalMemory[] copy = parts.clone();
        return of(WorkRequestOpcode.RDMA_WRITE, List.of(copy), remote, batch -> batch.rdmaWrite(remote, copy));
    }

    /// An RDMA write of a copy of `source`, taken now.
    public static SendWorkRequest rdmaWriteInline(RemoteMemory remote, MemorySegment source) {
        MemorySegment copy = copy(source);
        return of(
                WorkRequestOpcode.RDMA_WRITE,
                copy.byteSize(),
                remote,
                batch -> batch.rdmaWriteInline(copy, remote, 0));
    }

    /// An RDMA write with immediate data.
    public static SendWorkRequest rdmaWriteWithImmediate(
            int immediateData, RemoteMemory remote, LocalMemory... parts) {
        LocalMemory[] copy = parts.clone();
        return of(
                WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                List.of(copy),
                remote,
                batch -> batch.rdmaWriteWithImmediate(immediateData, remote, copy));
    }

    /// An RDMA read into the parts, one behind the other. Their regions need `LOCAL_WRITE`.
    public static SendWorkRequest rdmaRead(RemoteMemory remote, LocalMemory... parts) {
        LocalMemory[] copy = parts.clone();
        return of(WorkRequestOpcode.RDMA_READ, List.of(copy), remote, batch -> batch.rdmaRead(remote, copy));
    }

    /// An atomic compare-and-swap; the old value arrives in the first 8 bytes of `result`.
    public static SendWorkRequest compareAndSwap(
            LocalMemory result, RemoteMemory remote, long expected, long replacement) {
        LocalMemory word = result.slice(0, Long.BYTES);
        return of(
                WorkRequestOpcode.COMPARE_AND_SWAP,
                List.of(word),
                remote,
                batch -> batch.compareAndSwap(word.region(), word.offset(), remote, 0, expected, replacement));
    }

    /// An atomic fetch-and-add; the old value arrives in the first 8 bytes of `result`.
    public static SendWorkRequest fetchAndAdd(LocalMemory result, RemoteMemory remote, long addend) {
        LocalMemory word = result.slice(0, Long.BYTES);
        return of(
                WorkRequestOpcode.FETCH_AND_ADD,
                List.of(word),
                remote,
                batch -> batch.fetchAndAdd(word.region(), word.offset(), remote, 0, addend));
    }

    /// An 8-byte atomic write.
    public static SendWorkRequest atomicWrite(long value, RemoteMemory remote) {
        return of(WorkRequestOpcode.ATOMIC_WRITE, Long.BYTES, remote, batch -> batch.atomicWrite(value, remote, 0));
    }

    /// A flush.
    public static SendWorkRequest flush(RemoteMemory remote, FlushType type, FlushLevel level) {
        return of(WorkRequestOpcode.FLUSH, remote.length(), remote, batch -> batch.flush(remote, type, level));
    }

    /// An invalidation of a key of our own.
    public static SendWorkRequest localInvalidate(int key) {
        return of(WorkRequestOpcode.LOCAL_INVALIDATE, 0, null, batch -> batch.localInvalidate(key));
    }

    /// A bind of a memory window to a part of a region.
    ///
    /// @param access what the peer may do through the window
    public static SendWorkRequest bind(MemoryWindow window, LocalMemory part, Access... access) {
        return bind(window, part, Access.mask(access));
    }

    /// A bind of a memory window to a part of a region.
    ///
    /// @param accessFlags bits of [io.verbs4j.types.Access]
    public static SendWorkRequest bind(MemoryWindow window, LocalMemory part, int accessFlags) {
        return of(
                WorkRequestOpcode.BIND_MEMORY_WINDOW,
                List.of(part),
                null,
                batch -> batch.bind(window, part.region(), part.offset(), part.length(), accessFlags));
    }

    private static MemorySegment copy(MemorySegment source) {
        return MemorySegment.ofArray(source.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .asReadOnly();
    }

    /// The same with an identifier for its completion.
    public SendWorkRequest withId(long value) {
        return with(value, flags, destination);
    }

    /// The same, completing visibly.
    public SendWorkRequest withSignal() {
        return with(id, flags | SendFlags.SIGNALED, destination);
    }

    /// The same, counting for a peer's queue that is armed for solicited messages only.
    public SendWorkRequest withSolicited() {
        return with(id, flags | SendFlags.SOLICITED, destination);
    }

    /// The same, waiting for all earlier RDMA reads and atomics; for sends and writes ([why][SendBatch#fence()]).
    public SendWorkRequest withFence() {
        return with(id, flags | SendFlags.FENCE, destination);
    }

    /// The same as a datagram to a destination.
    public SendWorkRequest withDestination(AddressHandle handle, int queuePairNumber, int qkey) {
        return with(id, flags, new Destination(Objects.requireNonNull(handle), queuePairNumber, qkey));
    }

    private SendWorkRequest with(long newId, int newFlags, @Nullable Destination newDestination) {
        return new SendWorkRequest(operation, opcode, parts, length, remote, newId, newFlags, newDestination);
    }

    /// One of [WorkRequestOpcode].
    int opcode() {
        return opcode;
    }

    /// Buffers of ours, none with an inline payload.
    List<LocalMemory> parts() {
        return parts;
    }

    /// Bytes of payload, of an atomic, or to flush.
    long length() {
        return length;
    }

    /// Memory of the peer's, if any.
    @Nullable
    RemoteMemory remote() {
        return remote;
    }

    int flags() {
        return flags;
    }

    @Nullable
    Destination destination() {
        return destination;
    }

    /// Writes the work request into an open batch.
    ///
    /// @return false if the queue is full
    boolean addTo(SendBatch batch) {
        batch.id(id);
        batch.flags(flags);
        if (destination != null) {
            batch.to(destination.handle, destination.queuePairNumber, destination.qkey);
        }
        return operation.addTo(batch);
    }
}

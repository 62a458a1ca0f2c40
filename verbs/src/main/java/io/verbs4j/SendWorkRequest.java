// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
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
    private final long id;
    private final int flags;
    private final @Nullable Destination destination;

    private record Destination(AddressHandle handle, int queuePairNumber, int qkey) {}

    private SendWorkRequest(Operation operation, long id, int flags, @Nullable Destination destination) {
        this.operation = operation;
        this.id = id;
        this.flags = flags;
        this.destination = destination;
    }

    private static SendWorkRequest of(Operation operation) {
        return new SendWorkRequest(operation, 0, 0, null);
    }

    private static ScatterGatherList list(List<LocalMemory> parts) {
        var list = new ScatterGatherList();
        for (LocalMemory part : parts) {
            MemoryRegion region = part.region();
            long address = region.addressFor(region.protectionDomain(), part.offset(), part.length());
            list.add(address, Math.toIntExact(part.length()), region.localKey());
        }
        return list;
    }

    /// A send of the parts as one message.
    public static SendWorkRequest send(LocalMemory... parts) {
        var copy = List.of(parts);
        return of(batch -> batch.send(list(copy)));
    }

    /// A send of a copy of `source`, taken now.
    public static SendWorkRequest sendInline(MemorySegment source) {
        MemorySegment copy = copy(source);
        return of(batch -> batch.sendInline(copy));
    }

    /// A send with immediate data.
    public static SendWorkRequest sendWithImmediate(int immediateData, LocalMemory... parts) {
        var copy = List.of(parts);
        return of(batch -> batch.sendWithImmediate(immediateData, list(copy)));
    }

    /// A send that takes a key of the peer's out of service.
    public static SendWorkRequest sendWithInvalidate(int remoteKey, LocalMemory part) {
        return of(batch -> batch.sendWithInvalidate(remoteKey, part.region(), part.offset(), part.length()));
    }

    /// An RDMA write of the parts, one behind the other.
    public static SendWorkRequest rdmaWrite(RemoteMemory remote, LocalMemory... parts) {
        var copy = List.of(parts);
        return of(batch -> batch.rdmaWrite(list(copy), remote, 0));
    }

    /// An RDMA write of a copy of `source`, taken now.
    public static SendWorkRequest rdmaWriteInline(RemoteMemory remote, MemorySegment source) {
        MemorySegment copy = copy(source);
        return of(batch -> batch.rdmaWriteInline(copy, remote, 0));
    }

    /// An RDMA write with immediate data.
    public static SendWorkRequest rdmaWriteWithImmediate(
            int immediateData, RemoteMemory remote, LocalMemory... parts) {
        var copy = List.of(parts);
        return of(batch -> batch.rdmaWriteWithImmediate(immediateData, list(copy), remote, 0));
    }

    /// An RDMA read into the parts, one behind the other.
    public static SendWorkRequest rdmaRead(RemoteMemory remote, LocalMemory... parts) {
        var copy = List.of(parts);
        return of(batch -> batch.rdmaRead(list(copy), remote, 0));
    }

    /// An atomic compare-and-swap; the old value arrives in `result`.
    public static SendWorkRequest compareAndSwap(
            LocalMemory result, RemoteMemory remote, long expected, long replacement) {
        return of(
                batch -> batch.compareAndSwap(result.region(), result.offset(), remote, 0, expected, replacement));
    }

    /// An atomic fetch-and-add; the old value arrives in `result`.
    public static SendWorkRequest fetchAndAdd(LocalMemory result, RemoteMemory remote, long addend) {
        return of(batch -> batch.fetchAndAdd(result.region(), result.offset(), remote, 0, addend));
    }

    /// An 8-byte atomic write.
    public static SendWorkRequest atomicWrite(long value, RemoteMemory remote) {
        return of(batch -> batch.atomicWrite(value, remote, 0));
    }

    /// A flush.
    public static SendWorkRequest flush(RemoteMemory remote, FlushType type, FlushLevel level) {
        return of(batch -> batch.flush(remote, type, level));
    }

    /// An invalidation of a key of our own.
    public static SendWorkRequest localInvalidate(int key) {
        return of(batch -> batch.localInvalidate(key));
    }

    /// A bind of a memory window to a part of a region.
    ///
    /// @param accessFlags bits of [io.verbs4j.types.Access]
    public static SendWorkRequest bind(MemoryWindow window, LocalMemory part, int accessFlags) {
        return of(batch -> batch.bind(window, part.region(), part.offset(), part.length(), accessFlags));
    }

    private static MemorySegment copy(MemorySegment source) {
        return MemorySegment.ofArray(source.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .asReadOnly();
    }

    /// The same with an identifier for its completion.
    public SendWorkRequest withId(long value) {
        return new SendWorkRequest(operation, value, flags, destination);
    }

    /// The same, completing visibly.
    public SendWorkRequest withSignal() {
        return new SendWorkRequest(operation, id, flags | SendFlags.SIGNALED, destination);
    }

    /// The same, counting for a peer's queue that is armed for solicited messages only.
    public SendWorkRequest withSolicited() {
        return new SendWorkRequest(operation, id, flags | SendFlags.SOLICITED, destination);
    }

    /// The same, waiting for all earlier RDMA reads and atomics.
    public SendWorkRequest withFence() {
        return new SendWorkRequest(operation, id, flags | SendFlags.FENCE, destination);
    }

    /// The same as a datagram to a destination.
    public SendWorkRequest withDestination(AddressHandle handle, int queuePairNumber, int qkey) {
        return new SendWorkRequest(
                operation, id, flags, new Destination(Objects.requireNonNull(handle), queuePairNumber, qkey));
    }

    /// Writes the work request into an open batch.
    ///
    /// @return false if the queue is full
    boolean addTo(SendBatch batch) {
        batch.workRequestId(id).flags(flags);
        if (destination != null) {
            batch.to(destination.handle, destination.queuePairNumber, destination.qkey);
        }
        return operation.addTo(batch);
    }
}

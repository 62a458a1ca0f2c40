// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A send work request as a value: `new SendWorkRequest().write().local(ours).remote(theirs).signaled()`. Immutable:
/// each method of [SendOperations] returns a changed copy.
///
/// A program can post the same value repeatedly, with [QueuePair#post(List)] or [SendBatch#post(SendWorkRequest)].
/// [SendBatch#like] copies the description, for work requests that differ in a few parts.
public final class SendWorkRequest extends SendOperations<SendWorkRequest> {
    private List<LocalMemory> parts = List.of();
    private @Nullable AddressHandle handle;

    /// Creates a work request without an operation.
    public SendWorkRequest() {}

    private SendWorkRequest(SendWorkRequest other) {
        super(other);
        this.parts = other.parts;
        this.handle = other.handle;
    }

    @Override
    SendWorkRequest next() {
        return new SendWorkRequest(this);
    }

    @Override
    public SendWorkRequest to(AddressHandle path, int queuePairNumber, int qkey) {
        SendWorkRequest next = next();
        next.described |= DESTINATION;
        next.handle = Objects.requireNonNull(path);
        next.request.to(null, queuePairNumber, qkey);
        return next;
    }

    @Override
    public SendWorkRequest local(MemoryRegion region, long offset, long length) {
        return local(region.slice(offset, length));
    }

    @Override
    public SendWorkRequest local(LocalMemory... buffers) {
        SendWorkRequest next = payload(PARTS);
        next.parts = List.of(buffers);
        return next;
    }

    /// Sets the local memory: the current buffers of the list. Later changes of the list have no effect.
    @Override
    public SendWorkRequest local(ScatterGatherList buffers) {
        var copy = new ScatterGatherList();
        for (int i = 0; i < buffers.size(); i++) {
            copy.add(buffers.address(i), buffers.length(i), buffers.lkey(i));
        }
        return super.local(copy);
    }

    /// Sets the message to an inline copy of a part of `bytes`. Later changes of the bytes have no effect.
    @Override
    public SendWorkRequest inline(MemorySegment bytes, long offset, long length) {
        var copy = MemorySegment.ofArray(bytes.asSlice(offset, length).toArray(JAVA_BYTE));
        return super.inline(copy.asReadOnly(), 0, length);
    }

    /// Describes the parts that the batch's queue pair has to check, and that a batch therefore cannot copy.
    void describe(SendBatch batch) {
        if ((described & PARTS) != 0) {
            batch.local(parts);
        }
        if (handle != null) {
            batch.to(handle, request.remoteQueuePair(), request.remoteQkey());
        }
    }

    /// Returns the operation and the identifier.
    @Override
    public String toString() {
        return (described & OPERATION) == 0 ? "work request without an operation"
                : WorkRequestOpcode.name(request.opcode()) + " with the identifier " + request.workRequestId();
    }
}

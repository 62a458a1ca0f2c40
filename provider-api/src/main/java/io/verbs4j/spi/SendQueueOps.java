// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/// The producer side of a send ring. Confined to one thread at a time: the API holds the lock. A batch consists of
/// [#begin()], work requests, then [#publish()] and one [#doorbell()], or [#abandon()].
///
/// A work request consists of a payload and a [SendRequest] with the operation and its target. There is one method
/// per form of payload: a buffer, a list of buffers, a copy, or none. Each of these methods writes one complete work
/// request and returns [PostResult#POSTED] or [PostResult#QUEUE_FULL].
///
/// The API has checked lengths against the device's limits and the operation against the transport. The provider checks
/// everything else that the device would not reject: if the request is invalid, the provider throws an
/// `IllegalArgumentException` before it changes the slot. Common checks are in [io.verbs4j.spi.ring.SendChecks].
public abstract class SendQueueOps {
    /// Called by providers.
    protected SendQueueOps() {}

    /// Returns the exception for an operation that the device does not support. Methods that a provider does not
    /// override throw this exception.
    ///
    /// @param opcode the operation
    protected RuntimeException unsupported(int opcode) {
        return new NotSupportedException(
                "post " + WorkRequestOpcode.name(opcode), Errno.EOPNOTSUPP, "the device does not support the"
                        + " operation");
    }

    /// Returns the number of work requests that the ring can hold. If work requests differ in size, all are assumed to
    /// have the largest size.
    public abstract int capacity();

    /// Returns the maximum number of scatter/gather elements of a work request.
    public abstract int maxScatterGather();

    /// Returns the maximum number of inline bytes of a work request.
    public abstract int maxInlineData();

    /// Starts a batch after the published elements.
    public abstract void begin();

    /// Posts a send, write, read or datagram with one buffer, or without a buffer if `length` is 0. Also posts a
    /// compare-and-swap or fetch-and-add, with a buffer of 8 bytes for the result.
    public abstract int post(SendRequest request, long address, int length, int lkey);

    /// Posts a send, write, read or datagram with a list of buffers.
    public abstract int post(SendRequest request, ScatterGatherList list);

    /// Posts a send, write or datagram whose payload is copied into the work request.
    ///
    /// @param source native memory or a heap array
    /// @param offset first byte in `source`
    /// @param length bytes, at most [#maxInlineData()]
    public abstract int postInline(SendRequest request, MemorySegment source, long offset, int length);

    /// Posts an operation without buffers: an atomic write, a flush, a local invalidation or the bind of a memory
    /// window.
    public int post(SendRequest request) {
        throw unsupported(request.opcode());
    }

    /// Publishes the batch in the ring. The device starts to process it at the doorbell.
    ///
    /// @return the number of work requests in the batch
    public abstract int publish();

    /// Discards the batch, so that the device ignores it.
    public abstract void abandon();

    /// Rings the doorbell, so that the device reads the ring. Callers may ring without the lock, concurrently with
    /// [#publish()] of another batch, and more often than needed. If a device's doorbell is a store that must not be
    /// reordered with other stores, the provider may ring it in [#publish()], under the lock.
    ///
    /// @return 0, or a negated error number
    public abstract int doorbell();
}

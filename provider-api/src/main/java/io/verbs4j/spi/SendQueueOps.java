// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/// The producer side of a send ring. One thread at a time; the API has the lock. A batch is [#begin()], work requests,
/// then [#publish()] and one [#doorbell()], or [#abandon()].
///
/// A work request consists of a [SendRequest], which has the operation and its target, and a payload. There is one
/// method per form of payload: a buffer, a list of buffers, a copy, or none. Each writes one complete work request and
/// returns [PostResult#POSTED] or [PostResult#QUEUE_FULL]. The API has checked lengths against the device's limits and
/// the operation against the transport. A provider refuses everything else that its device would accept unchecked, by
/// an `IllegalArgumentException` before the slot is touched. Common checks are in [io.verbs4j.spi.ring.SendChecks].
public abstract class SendQueueOps {
    /// For providers.
    protected SendQueueOps() {}

    /// Returns the exception for an operation that the device lacks; methods that a provider does not override throw
    /// it.
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

    /// Starts a batch after the published elements.
    public abstract void begin();

    /// Posts a send, write, read or datagram with one buffer, or none if `length` is 0; or a compare-and-swap or
    /// fetch-and-add, whose result of 8 bytes arrives in it.
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

    /// Gives the batch to the device's memory; it starts to work at the doorbell.
    ///
    /// @return how many work requests it had
    public abstract int publish();

    /// Forgets the batch; the device sees nothing of it.
    public abstract void abandon();

    /// Makes the device look. May be called without the lock, concurrently with [#publish()] of another batch, and more
    /// often than needed. A device whose doorbell is a store that must not be reordered with others may ring it in
    /// [#publish()], under the lock, and do nothing here.
    ///
    /// @return 0, or a negated error number
    public abstract int doorbell();
}

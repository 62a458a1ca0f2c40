// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import java.lang.foreign.MemorySegment;

/// A send work request in the form in which the device reads it, apart from the ring: made once by
/// [SendQueueOps#prepare], changed in single fields, and posted again and again by [SendQueueOps#post(SendTemplate)].
///
/// One thread at a time, which need not hold the lock of the send queue. Each method changes only the named field, or
/// throws and changes nothing: `IllegalStateException` if the operation does not have the field,
/// `IllegalArgumentException` if the device would accept the value unchecked. The API has checked addresses against
/// regions.
public abstract class SendTemplate {
    /// For providers.
    protected SendTemplate() {}

    /// Sets the identifier of the completion.
    public abstract void workRequestId(long id);

    /// Sets the flags, see [io.verbs4j.types.SendFlags]. Whether the payload is inline stays as it was.
    public abstract void flags(int flags);

    /// Sets the only buffer, or none if `length` is 0. An atomic's has 8 bytes.
    public abstract void local(long address, int length, int lkey);

    /// Replaces the inline payload.
    ///
    /// @param source native memory or a heap array
    /// @param offset first byte in `source`
    /// @param length bytes, at most [SendQueueOps#maxInlineData()]
    public abstract void inline(MemorySegment source, long offset, int length);

    /// Sets the peer's address and key: of a write, read, atomic or flush.
    public abstract void remote(long address, int rkey);

    /// Sets the immediate data, in the processor's byte order, or the key to invalidate.
    public abstract void immediateDataOrKey(int value);

    /// Sets the operands of a compare-and-swap or fetch-and-add.
    ///
    /// @param compareOrAdd compare operand, or summand
    /// @param swap new value; 0 for fetch-and-add
    public abstract void operands(long compareOrAdd, long swap);

    /// Sets the value of an atomic write.
    public abstract void value(long value);
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import org.jspecify.annotations.Nullable;

/// A send work request without its payload: operation, destination and identifier. The caller reuses one object for all
/// work requests, so that posting allocates nothing. A provider keeps no reference to the object.
///
/// For every work request, the identifier, the flags, the operation, the immediate data or key, and the peer's address
/// and key are valid; they are 0 if the operation has none. The other fields ([#operands], [#flush], [#window], [#to])
/// are valid for some operations only. For other operations, they contain values of an earlier work request. Confined
/// to one thread at a time.
public final class SendRequest {
    private long workRequestId;
    private int flags;
    private int opcode;
    private int immediateDataOrKey;
    private long remoteAddress;
    private int remoteKey;
    private @Nullable ProviderAddressHandle addressHandle;
    private int remoteQueuePair;
    private int remoteQkey;
    private long operand;
    private long swap;
    private int flushLength;
    private int flushType;
    private int flushLevel;
    private int newKey;
    private int regionKey;
    private long windowAddress;
    private long windowLength;
    private int windowAccess;

    /// Creates an empty request.
    public SendRequest() {}

    /// Creates a request with an identifier and flags, bits of [io.verbs4j.types.SendFlags].
    public static SendRequest of(long workRequestId, int flags) {
        return new SendRequest().workRequestId(workRequestId).flags(flags);
    }

    /// Sets the identifier of the completion.
    public SendRequest workRequestId(long id) {
        workRequestId = id;
        return this;
    }

    /// Sets the flags, bits of [io.verbs4j.types.SendFlags].
    public SendRequest flags(int bits) {
        flags = bits;
        return this;
    }

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path; null for none
    public SendRequest to(@Nullable ProviderAddressHandle handle, int queuePair, int qkey) {
        addressHandle = handle;
        remoteQueuePair = queuePair;
        remoteQkey = qkey;
        return this;
    }

    /// Sets the operation: a [io.verbs4j.types.WorkRequestOpcode].
    public SendRequest operation(int number) {
        opcode = number;
        return this;
    }

    /// Sets immediate data in the processor's byte order, the key to invalidate, or the current rkey of the window to
    /// bind. For other operations, the value is 0.
    public SendRequest immediateDataOrKey(int value) {
        immediateDataOrKey = value;
        return this;
    }

    /// Sets the peer's address and key; 0 for sends.
    public SendRequest remote(long address, int rkey) {
        remoteAddress = address;
        remoteKey = rkey;
        return this;
    }

    /// Sets the operands of an operation on 8 bytes of the peer's memory.
    ///
    /// @param compareOrAdd the value to compare with, to add, or to write
    /// @param replacement the value that a compare-and-swap stores; otherwise 0
    public SendRequest operands(long compareOrAdd, long replacement) {
        operand = compareOrAdd;
        swap = replacement;
        return this;
    }

    /// Sets the parameters of a flush.
    ///
    /// @param length bytes
    /// @param type 1 global visibility, 2 persistence, 3 both
    /// @param level 0 the range, 1 the whole region
    public SendRequest flush(int length, int type, int level) {
        flushLength = length;
        flushType = type;
        flushLevel = level;
        return this;
    }

    /// Sets the parameters of a bind. A length of 0 unbinds a type 1 window.
    ///
    /// @param boundKey the window's rkey after the bind
    /// @param region the region's key
    /// @param address first byte of the bound range
    /// @param length bytes
    public SendRequest window(int boundKey, int region, long address, long length) {
        newKey = boundKey;
        regionKey = region;
        windowAddress = address;
        windowLength = length;
        return this;
    }

    /// Sets the rights of a window, bits of [io.verbs4j.types.Access].
    public SendRequest access(int rights) {
        windowAccess = rights;
        return this;
    }

    /// Copies all fields of another request.
    @SuppressWarnings("ReferenceEquality") // a handle is only itself
    public SendRequest set(SendRequest other) {
        opcode = other.opcode;
        if (other.addressHandle != addressHandle) { // avoids a write barrier per copy
            addressHandle = other.addressHandle;
        }
        remoteQueuePair = other.remoteQueuePair;
        remoteQkey = other.remoteQkey;
        return workRequestId(other.workRequestId)
                .flags(other.flags)
                .immediateDataOrKey(other.immediateDataOrKey)
                .remote(other.remoteAddress, other.remoteKey)
                .operands(other.operand, other.swap)
                .flush(other.flushLength, other.flushType, other.flushLevel)
                .window(other.newKey, other.regionKey, other.windowAddress, other.windowLength)
                .access(other.windowAccess);
    }

    /// Returns the identifier of the completion.
    public long workRequestId() {
        return workRequestId;
    }

    /// Returns the flags: bits of [io.verbs4j.types.SendFlags].
    public int flags() {
        return flags;
    }

    /// Returns the operation: a [io.verbs4j.types.WorkRequestOpcode], or an invalid number that the caller has passed.
    public int opcode() {
        return opcode;
    }

    /// Returns immediate data in the processor's byte order, the key to invalidate, or the current rkey of the window
    /// to bind.
    public int immediateDataOrKey() {
        return immediateDataOrKey;
    }

    /// Returns the peer's address; 0 for sends.
    public long remoteAddress() {
        return remoteAddress;
    }

    /// Returns the peer's key; 0 for sends.
    public int remoteKey() {
        return remoteKey;
    }

    /// Returns the path of a datagram.
    public @Nullable ProviderAddressHandle addressHandle() {
        return addressHandle;
    }

    /// Returns the peer's queue pair number, for a datagram.
    public int remoteQueuePair() {
        return remoteQueuePair;
    }

    /// Returns the peer's Q_Key, for a datagram.
    public int remoteQkey() {
        return remoteQkey;
    }

    /// Returns the value that an atomic compares with, adds or writes.
    public long operand() {
        return operand;
    }

    /// Returns the value that a compare-and-swap stores.
    public long swap() {
        return swap;
    }

    /// Returns the number of bytes to flush.
    public int flushLength() {
        return flushLength;
    }

    /// Returns the type of a flush: 1 global visibility, 2 persistence, 3 both.
    public int flushType() {
        return flushType;
    }

    /// Returns the level of a flush: 0 the range, 1 the whole region.
    public int flushLevel() {
        return flushLevel;
    }

    /// Returns the key of a window after its bind.
    public int newKey() {
        return newKey;
    }

    /// Returns the key of the region that a window is bound to.
    public int regionKey() {
        return regionKey;
    }

    /// Returns the address of the first byte of the range that a window is bound to.
    public long windowAddress() {
        return windowAddress;
    }

    /// Returns the length of the range that a window is bound to, in bytes.
    public long windowLength() {
        return windowLength;
    }

    /// Returns the peer's rights through a window: bits of [io.verbs4j.types.Access].
    public int windowAccess() {
        return windowAccess;
    }
}

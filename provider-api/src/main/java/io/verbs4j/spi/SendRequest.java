// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import org.jspecify.annotations.Nullable;

/// A send work request without its payload: operation, destination and identifier. The caller keeps one and fills it
/// anew for each work request, so that nothing is allocated. A provider reads it and keeps no reference to it.
///
/// Identifier, flags, operation, immediate data or key, and the peer's address and key belong to each work request, and
/// are 0 where an operation has none. The other fields ([#operands], [#flush], [#window], [#to]) belong to some
/// operations; a provider reads them for those only, because they hold what an earlier work request has left there.
/// Confined to one thread at a time.
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

    /// Makes an empty one.
    public SendRequest() {}

    /// Makes one with an identifier and flags, bits of [io.verbs4j.types.SendFlags].
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

    /// Sets where a datagram goes.
    ///
    /// @param handle the path; null for none
    public SendRequest to(@Nullable ProviderAddressHandle handle, int queuePair, int qkey) {
        addressHandle = handle;
        remoteQueuePair = queuePair;
        remoteQkey = qkey;
        return this;
    }

    /// Sets the operation, of [io.verbs4j.types.WorkRequestOpcode].
    public SendRequest operation(int number) {
        opcode = number;
        return this;
    }

    /// Sets immediate data in the processor's byte order, the key to invalidate, or the present rkey of the window to
    /// bind; else 0.
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

    /// Sets the operands of an operation on 8 bytes of the peer's.
    ///
    /// @param compareOrAdd the value to compare with, to add, or to write
    /// @param replacement the value that a compare-and-swap stores; else 0
    public SendRequest operands(long compareOrAdd, long replacement) {
        operand = compareOrAdd;
        swap = replacement;
        return this;
    }

    /// Sets the parts of a flush.
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

    /// Sets the parts of a bind; length 0 unbinds a type 1 window.
    ///
    /// @param boundKey the window's rkey from then on
    /// @param region the region's key
    /// @param address the first byte that the window shows
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

    /// Takes over all fields of another one.
    @SuppressWarnings("ReferenceEquality") // a handle is only itself
    public SendRequest set(SendRequest other) {
        opcode = other.opcode;
        if (other.addressHandle != addressHandle) { // else the garbage collector would hear of each copy
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

    /// The identifier of the completion.
    public long workRequestId() {
        return workRequestId;
    }

    /// Bits of [io.verbs4j.types.SendFlags].
    public int flags() {
        return flags;
    }

    /// The operation, of [io.verbs4j.types.WorkRequestOpcode], or any other number: a caller's mistake.
    public int opcode() {
        return opcode;
    }

    /// Immediate data in the processor's byte order, the key to invalidate, or the present key of the window to bind.
    public int immediateDataOrKey() {
        return immediateDataOrKey;
    }

    /// The peer's address; 0 for sends.
    public long remoteAddress() {
        return remoteAddress;
    }

    /// The peer's key; 0 for sends.
    public int remoteKey() {
        return remoteKey;
    }

    /// The path of a datagram.
    public @Nullable ProviderAddressHandle addressHandle() {
        return addressHandle;
    }

    /// The peer's queue pair of a datagram.
    public int remoteQueuePair() {
        return remoteQueuePair;
    }

    /// The peer's Q_Key of a datagram.
    public int remoteQkey() {
        return remoteQkey;
    }

    /// Returns what an atomic compares with, adds or writes.
    public long operand() {
        return operand;
    }

    /// Returns what a compare-and-swap stores.
    public long swap() {
        return swap;
    }

    /// Bytes to flush.
    public int flushLength() {
        return flushLength;
    }

    /// 1 global visibility, 2 persistence, 3 both.
    public int flushType() {
        return flushType;
    }

    /// 0 the range, 1 the whole region.
    public int flushLevel() {
        return flushLevel;
    }

    /// The key of a window from its bind on.
    public int newKey() {
        return newKey;
    }

    /// The key of the region that a window is bound to.
    public int regionKey() {
        return regionKey;
    }

    /// The first byte that a window shows.
    public long windowAddress() {
        return windowAddress;
    }

    /// Bytes that a window shows.
    public long windowLength() {
        return windowLength;
    }

    /// Returns what a peer may do through a window.
    public int windowAccess() {
        return windowAccess;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import org.jspecify.annotations.Nullable;

/// A send work request without its payload: operation, target, and completion. The poster reuses one for all work
/// requests, so nothing is allocated; a provider must not keep it.
///
/// Each operation has fields of its own ([#message], [#oneSided], [#atomic] and so on); a provider reads only those of
/// the operation, because the others are stale. Confined to one thread at a time.
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

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path; null for none
    public SendRequest to(@Nullable ProviderAddressHandle handle, int queuePair, int qkey) {
        addressHandle = handle;
        remoteQueuePair = queuePair;
        remoteQkey = qkey;
        return this;
    }

    /// Makes it a send.
    ///
    /// @param operation of [io.verbs4j.types.WorkRequestOpcode]
    /// @param dataOrKey immediate data in the processor's byte order, or the rkey to invalidate; else 0
    public SendRequest message(int operation, int dataOrKey) {
        return oneSided(operation, dataOrKey, 0, 0);
    }

    /// Makes it a write or a read.
    ///
    /// @param operation of [io.verbs4j.types.WorkRequestOpcode]
    /// @param data immediate data in the processor's byte order; else 0
    /// @param address the peer's
    /// @param rkey the peer's
    public SendRequest oneSided(int operation, int data, long address, int rkey) {
        opcode = operation;
        immediateDataOrKey = data;
        remoteAddress = address;
        remoteKey = rkey;
        return this;
    }

    /// Makes it an operation on 8 bytes of the peer's.
    ///
    /// @param operation compare-and-swap, fetch-and-add or atomic write
    /// @param address a multiple of 8
    /// @param compareOrAdd compare operand, summand, or value to write
    /// @param replacement new value of a compare-and-swap; otherwise 0
    public SendRequest atomic(int operation, long address, int rkey, long compareOrAdd, long replacement) {
        operand = compareOrAdd;
        swap = replacement;
        return oneSided(operation, 0, address, rkey);
    }

    /// Makes it a flush of earlier writes at the peer.
    ///
    /// @param operation its opcode
    /// @param type 1 global visibility, 2 persistence, 3 both
    /// @param level 0 the range, 1 the whole region
    public SendRequest flush(int operation, long address, int length, int rkey, int type, int level) {
        flushLength = length;
        flushType = type;
        flushLevel = level;
        return oneSided(operation, 0, address, rkey);
    }

    /// Makes it a bind of a memory window to a part of a region; length 0 unbinds a type 1 window.
    ///
    /// @param operation its opcode
    /// @param currentKey the window's present rkey
    /// @param boundKey its rkey from then on
    /// @param region the region's key
    /// @param address the first byte that the window shows
    /// @param length bytes
    /// @param access bits of [io.verbs4j.types.Access]
    public SendRequest bind(
            int operation, int currentKey, int boundKey, int region, long address, long length, int access) {
        newKey = boundKey;
        regionKey = region;
        windowAddress = address;
        windowLength = length;
        windowAccess = access;
        return message(operation, currentKey);
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

    /// Returns an atomic's compare operand, summand, or value to write.
    public long operand() {
        return operand;
    }

    /// Returns the new value of a compare-and-swap.
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

    /// Returns a peer's rights through a window.
    public int windowAccess() {
        return windowAccess;
    }
}

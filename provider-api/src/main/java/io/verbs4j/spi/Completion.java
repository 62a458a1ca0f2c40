// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// One completion, taken out of its ring. A poll overwrites it, so that polling allocates nothing. A provider sets all
/// of its fields, by [#set], [#carried] and [#path], or never sets those that its device does not have. Confined to one
/// thread at a time.
public final class Completion {
    /// The first 40 bytes of the receive buffer hold the global route header (UD).
    public static final int GRH = 1;
    /// [#immediateDataOrKey()] is immediate data.
    public static final int WITH_IMMEDIATE = 1 << 1;
    /// [#immediateDataOrKey()] is the rkey that the peer invalidated.
    public static final int WITH_INVALIDATE = 1 << 2;

    private long workRequestId;
    private int status;
    private int opcode;
    private int vendorError;
    private int byteLength;
    private int queuePairNumber;
    private int flags;
    private int immediateDataOrKey;
    private int sourceQueuePair;
    private int pkeyIndex;
    private int sourceLid;
    private int serviceLevel;
    private int pathBits;

    /// All zero.
    public Completion() {}

    /// Sets the parts of each completion.
    ///
    /// @param id the work request's identifier, as posted
    /// @param code see [io.verbs4j.types.CompletionStatus]
    /// @param operation see [io.verbs4j.types.CompletionOpcode]; undefined on failure
    /// @param vendorCode the driver's own error code
    /// @param bytes bytes transferred
    /// @param queuePair number of the queue pair that it belongs to
    public Completion set(long id, int code, int operation, int vendorCode, int bytes, int queuePair) {
        workRequestId = id;
        status = code;
        opcode = operation;
        vendorError = vendorCode;
        byteLength = bytes;
        queuePairNumber = queuePair;
        return this;
    }

    /// Sets the data that a message brought.
    ///
    /// @param bits [#GRH], [#WITH_IMMEDIATE], [#WITH_INVALIDATE], or others
    /// @param dataOrKey immediate data in the processor's byte order, or the invalidated rkey
    public Completion carried(int bits, int dataOrKey) {
        flags = bits;
        immediateDataOrKey = dataOrKey;
        return this;
    }

    /// Sets the path of a datagram.
    ///
    /// @param queuePair number of the sender's queue pair
    /// @param pkey P_Key index, 16 bits
    /// @param lid source LID, 16 bits
    /// @param level service level, 8 bits
    /// @param bits destination LID path bits, 8 bits
    public Completion path(int queuePair, int pkey, int lid, int level, int bits) {
        sourceQueuePair = queuePair;
        pkeyIndex = pkey;
        sourceLid = lid;
        serviceLevel = level;
        pathBits = bits;
        return this;
    }

    /// Takes over all fields of another one.
    public Completion set(Completion other) {
        return set(
                other.workRequestId, other.status, other.opcode, other.vendorError, other.byteLength,
                other.queuePairNumber)
                .carried(other.flags, other.immediateDataOrKey)
                .path(other.sourceQueuePair, other.pkeyIndex, other.sourceLid, other.serviceLevel, other.pathBits);
    }

    /// The work request's identifier, as posted.
    public long workRequestId() {
        return workRequestId;
    }

    /// Status code, see [io.verbs4j.types.CompletionStatus].
    public int status() {
        return status;
    }

    /// Opcode, see [io.verbs4j.types.CompletionOpcode]; undefined on failure.
    public int opcode() {
        return opcode;
    }

    /// The driver's own error code.
    public int vendorError() {
        return vendorError;
    }

    /// Bytes transferred.
    public int byteLength() {
        return byteLength;
    }

    /// Immediate data in the processor's byte order, or the invalidated rkey; see [#flags()].
    public int immediateDataOrKey() {
        return immediateDataOrKey;
    }

    /// Number of the queue pair that it belongs to.
    public int queuePairNumber() {
        return queuePairNumber;
    }

    /// Number of the sender's queue pair (UD).
    public int sourceQueuePair() {
        return sourceQueuePair;
    }

    /// Bits above.
    public int flags() {
        return flags;
    }

    /// P_Key index.
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /// Source LID, InfiniBand only.
    public int sourceLid() {
        return sourceLid;
    }

    /// Service level, InfiniBand only.
    public int serviceLevel() {
        return serviceLevel;
    }

    /// Destination LID path bits, InfiniBand only.
    public int pathBits() {
        return pathBits;
    }
}

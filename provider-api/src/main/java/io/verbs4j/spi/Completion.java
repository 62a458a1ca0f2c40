// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// One completion, taken out of its ring: plain fields that a poll overwrites, so that polling allocates nothing.
/// Confined to the thread that polls.
public final class Completion {
    /// All zero.
    public Completion() {}

    /// The work request's identifier, as posted.
    public long workRequestId;
    /// Status code, see [io.verbs4j.types.CompletionStatus].
    public int status;
    /// Opcode, see [io.verbs4j.types.CompletionOpcode]; undefined on failure.
    public int opcode;
    /// The driver's own error code.
    public int vendorError;
    /// Bytes transferred.
    public int byteLength;
    /// Immediate data in the processor's byte order, or the invalidated rkey; see [#flags].
    public int immediateDataOrKey;
    /// Number of the queue pair that it belongs to.
    public int queuePairNumber;
    /// Number of the sender's queue pair (UD).
    public int sourceQueuePair;
    /// Bits below.
    public int flags;
    /// P_Key index.
    public int pkeyIndex;
    /// Source LID, InfiniBand only.
    public int sourceLid;
    /// Service level, InfiniBand only.
    public int serviceLevel;
    /// Destination LID path bits, InfiniBand only.
    public int pathBits;

    /// The first 40 bytes of the receive buffer hold the global route header (UD).
    public static final int GRH = 1;
    /// [#immediateDataOrKey] is immediate data.
    public static final int WITH_IMMEDIATE = 1 << 1;
    /// [#immediateDataOrKey] is the rkey that the peer invalidated.
    public static final int WITH_INVALIDATE = 1 << 2;
}

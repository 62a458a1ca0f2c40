// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// One completion, copied from its ring: six words that each poll overwrites, so polling allocates nothing and copies
/// as little as C. Fields are extracted on demand. Confined to the polling thread.
///
/// The words are those of the kernel's `struct ib_uverbs_wc` (include/uapi/rdma/ib_user_verbs.h), which drivers without
/// hardware have in their rings. A provider whose device has another format converts it.
public final class Completion {
    /// The first 40 bytes of the receive buffer hold the global route header (UD).
    public static final int GRH = 1;
    /// [#immediateDataOrKey()] is immediate data.
    public static final int WITH_IMMEDIATE = 1 << 1;
    /// [#immediateDataOrKey()] is the rkey that the peer invalidated.
    public static final int WITH_INVALIDATE = 1 << 2;

    private long workRequestId;
    private long statusAndOpcode;
    private long errorAndLength;
    private long dataAndQueuePair;
    private long sourceAndFlags;
    private long path;

    /// All zero.
    public Completion() {}

    /// Takes over a completion. Of two fields in a word the first is the lower half.
    ///
    /// @param workRequestId `wr_id`
    /// @param statusAndOpcode `status`, `opcode`
    /// @param errorAndLength `vendor_err`, `byte_len`
    /// @param dataAndQueuePair `ex`, immediate data in network order; `qp_num`
    /// @param sourceAndFlags `src_qp`, `wc_flags`
    /// @param path `pkey_index` and `slid` with 16 bits each, `sl` and `dlid_path_bits` with 8
    public void set(
            long workRequestId,
            long statusAndOpcode,
            long errorAndLength,
            long dataAndQueuePair,
            long sourceAndFlags,
            long path) {
        this.workRequestId = workRequestId;
        this.statusAndOpcode = statusAndOpcode;
        this.errorAndLength = errorAndLength;
        this.dataAndQueuePair = dataAndQueuePair;
        this.sourceAndFlags = sourceAndFlags;
        this.path = path;
    }

    /// The work request's identifier, as posted.
    public long workRequestId() {
        return workRequestId;
    }

    /// Status code, see [io.verbs4j.types.CompletionStatus].
    public int status() {
        return (int) statusAndOpcode;
    }

    /// Opcode, see [io.verbs4j.types.CompletionOpcode]; undefined on failure.
    public int opcode() {
        return upper(statusAndOpcode);
    }

    /// The driver's own error code.
    public int vendorError() {
        return (int) errorAndLength;
    }

    /// Bytes transferred.
    public int byteLength() {
        return upper(errorAndLength);
    }

    /// Immediate data in the processor's byte order, or the invalidated rkey; see [#flags()].
    public int immediateDataOrKey() {
        int data = (int) dataAndQueuePair;
        return (flags() & WITH_IMMEDIATE) != 0 ? Integer.reverseBytes(data) : data;
    }

    /// Number of the queue pair that it belongs to.
    public int queuePairNumber() {
        return upper(dataAndQueuePair);
    }

    /// Number of the sender's queue pair (UD).
    public int sourceQueuePair() {
        return (int) sourceAndFlags;
    }

    /// Bits above.
    public int flags() {
        return upper(sourceAndFlags);
    }

    /// P_Key index.
    public int pkeyIndex() {
        return (int) path & 0xffff;
    }

    /// Source LID, InfiniBand only.
    public int sourceLid() {
        return (int) path >>> 16;
    }

    /// Service level, InfiniBand only.
    public int serviceLevel() {
        return upper(path) & 0xff;
    }

    /// Destination LID path bits, InfiniBand only.
    public int pathBits() {
        return upper(path) >>> 8 & 0xff;
    }

    private static int upper(long word) {
        return (int) (word >>> Integer.SIZE);
    }
}

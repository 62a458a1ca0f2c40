// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// One completion, copied from its ring. Each poll overwrites the same object, so that polling allocates nothing. A
/// provider sets all fields: with [#set], [#carried] and [#path] or, if its ring contains `struct ib_uverbs_wc`, with
/// [#words]. Confined to one thread at a time.
///
/// The fields are in six words. With separate fields, polling 16 completions would take a third longer.
public final class Completion {
    /// The first 40 bytes of the receive buffer hold the global route header (UD).
    public static final int GRH = 1;
    /// [#immediateDataOrKey()] is immediate data.
    public static final int WITH_IMMEDIATE = 1 << 1;
    /// [#immediateDataOrKey()] is the rkey that the peer invalidated.
    public static final int WITH_INVALIDATE = 1 << 2;

    private long workRequestId;
    /// In each word, the field that the name mentions first is the lower half.
    private long statusAndOpcode;
    private long errorAndLength;
    /// Immediate data is in network order, a key in the processor's.
    private long dataAndQueuePair;
    private long sourceAndFlags;
    /// From the lowest bit on: P_Key index and source LID with 16 bits each, service level and path bits with 8 bits
    /// each.
    private long path;

    /// Creates a completion whose fields are all 0.
    public Completion() {}

    /// Sets the fields that every completion has.
    ///
    /// @param id the work request's identifier, as posted
    /// @param code see [io.verbs4j.types.CompletionStatus]
    /// @param operation see [io.verbs4j.types.CompletionOpcode]; undefined on failure
    /// @param vendorCode the driver's own error code
    /// @param bytes bytes transferred
    /// @param queuePair number of this end's queue pair
    public Completion set(long id, int code, int operation, int vendorCode, int bytes, int queuePair) {
        workRequestId = id;
        statusAndOpcode = word(code, operation);
        errorAndLength = word(vendorCode, bytes);
        dataAndQueuePair = word(0, queuePair);
        return this;
    }

    /// Sets the data that arrived with a message. To be called after [#set].
    ///
    /// @param bits [#GRH], [#WITH_IMMEDIATE], [#WITH_INVALIDATE], or others
    /// @param dataOrKey immediate data in the processor's byte order, or the invalidated rkey
    public Completion carried(int bits, int dataOrKey) {
        sourceAndFlags = word(0, bits);
        dataAndQueuePair = word(inOrder(bits, dataOrKey), queuePairNumber());
        return this;
    }

    /// Sets the path of a datagram. To be called after [#carried].
    ///
    /// @param queuePair number of the sender's queue pair
    /// @param pkey P_Key index, 16 bits
    /// @param lid source LID, 16 bits
    /// @param level service level, 8 bits
    /// @param bits destination LID path bits, 8 bits
    public Completion path(int queuePair, int pkey, int lid, int level, int bits) {
        sourceAndFlags = word(queuePair, flags());
        path = word(pkey | lid << 16, level | bits << 8);
        return this;
    }

    /// Sets all fields to words of a `struct ib_uverbs_wc` (include/uapi/rdma/ib_user_verbs.h). If a word contains
    /// several fields, the first one is in the lowest bits.
    ///
    /// @param id `wr_id`
    /// @param outcome `status`, `opcode`
    /// @param length `vendor_err`, `byte_len`
    /// @param data `ex`, with immediate data in network order; `qp_num`
    /// @param source `src_qp`, `wc_flags`
    /// @param pathWord `pkey_index` and `slid` with 16 bits each, `sl` and `dlid_path_bits` with 8
    public void words(long id, long outcome, long length, long data, long source, long pathWord) {
        workRequestId = id;
        statusAndOpcode = outcome;
        errorAndLength = length;
        dataAndQueuePair = data;
        sourceAndFlags = source;
        path = pathWord;
    }

    /// Copies all fields of another completion.
    public void set(Completion other) {
        words(
                other.workRequestId, other.statusAndOpcode, other.errorAndLength, other.dataAndQueuePair,
                other.sourceAndFlags, other.path);
    }

    private static long word(int lower, int upper) {
        return (long) upper << Integer.SIZE | Integer.toUnsignedLong(lower);
    }

    private static int upper(long word) {
        return (int) (word >>> Integer.SIZE);
    }

    /// Converts immediate data from or to network order, and leaves a key unchanged.
    private static int inOrder(int flags, int data) {
        return (flags & WITH_IMMEDIATE) != 0 ? Integer.reverseBytes(data) : data;
    }

    /// Returns the work request's identifier, as posted.
    public long workRequestId() {
        return workRequestId;
    }

    /// Returns the status code; see [io.verbs4j.types.CompletionStatus].
    public int status() {
        return (int) statusAndOpcode;
    }

    /// Returns the opcode, which is undefined on failure; see [io.verbs4j.types.CompletionOpcode].
    public int opcode() {
        return upper(statusAndOpcode);
    }

    /// Returns the driver's own error code.
    public int vendorError() {
        return (int) errorAndLength;
    }

    /// Returns the number of transferred bytes.
    public int byteLength() {
        return upper(errorAndLength);
    }

    /// Returns immediate data in the processor's byte order, or the invalidated rkey; see [#flags()].
    public int immediateDataOrKey() {
        return inOrder(flags(), (int) dataAndQueuePair);
    }

    /// Returns the number of this end's queue pair.
    public int queuePairNumber() {
        return upper(dataAndQueuePair);
    }

    /// Returns the number of the sender's queue pair (UD).
    public int sourceQueuePair() {
        return (int) sourceAndFlags;
    }

    /// Returns the flags: bits such as [#GRH].
    public int flags() {
        return upper(sourceAndFlags);
    }

    /// Returns the P_Key index.
    public int pkeyIndex() {
        return (int) path & 0xffff;
    }

    /// Returns the source LID (InfiniBand only).
    public int sourceLid() {
        return (int) path >>> 16;
    }

    /// Returns the service level (InfiniBand only).
    public int serviceLevel() {
        return upper(path) & 0xff;
    }

    /// Returns the destination LID path bits (InfiniBand only).
    public int pathBits() {
        return upper(path) >>> 8 & 0xff;
    }
}

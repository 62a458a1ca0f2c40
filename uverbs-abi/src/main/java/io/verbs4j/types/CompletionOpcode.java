// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The operation that completed (`enum ib_uverbs_wc_opcode`; IBA vol. 1, 11.4.2.1). Meaningful only if the completion's
/// status is success: rxe reports 0 with every error.
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IB_UVERBS_WC_*`)
public record CompletionOpcode(int value) {
    /// A send, with or without immediate data or invalidation.
    public static final CompletionOpcode SEND = new CompletionOpcode(0);

    /// An RDMA write, with or without immediate data.
    public static final CompletionOpcode RDMA_WRITE = new CompletionOpcode(1);

    /// An RDMA read.
    public static final CompletionOpcode RDMA_READ = new CompletionOpcode(2);

    /// An atomic compare and swap.
    public static final CompletionOpcode COMPARE_AND_SWAP = new CompletionOpcode(3);

    /// An atomic fetch and add.
    public static final CompletionOpcode FETCH_AND_ADD = new CompletionOpcode(4);

    /// The bind of a memory window.
    public static final CompletionOpcode BIND_MEMORY_WINDOW = new CompletionOpcode(5);

    /// The invalidation of a local key.
    public static final CompletionOpcode LOCAL_INVALIDATE = new CompletionOpcode(6);

    /// A datagram that the device has split into segments.
    public static final CompletionOpcode TSO = new CompletionOpcode(7);

    /// A flush.
    public static final CompletionOpcode FLUSH = new CompletionOpcode(8);

    /// An 8-byte atomic write.
    public static final CompletionOpcode ATOMIC_WRITE = new CompletionOpcode(9);

    /// A receive that a message consumed.
    public static final CompletionOpcode RECEIVE = new CompletionOpcode(128);

    /// A receive that an RDMA write with immediate data consumed.
    public static final CompletionOpcode RECEIVE_RDMA_WITH_IMMEDIATE = new CompletionOpcode(129);

    private static final CodeNames SEND_SIDE = new CodeNames(
            "SEND",
            "RDMA_WRITE",
            "RDMA_READ",
            "COMPARE_AND_SWAP",
            "FETCH_AND_ADD",
            "BIND_MEMORY_WINDOW",
            "LOCAL_INVALIDATE",
            "TSO",
            "FLUSH",
            "ATOMIC_WRITE");
    private static final CodeNames RECEIVE_SIDE = new CodeNames("RECEIVE", "RECEIVE_RDMA_WITH_IMMEDIATE");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return SEND_SIDE.known(value) || RECEIVE_SIDE.known(value - RECEIVE.value);
    }

    /// Returns whether the completion belongs to a receive queue: bit 7 of the value is set.
    public boolean isReceive() {
        return (value & RECEIVE.value) != 0;
    }

    @Override
    public String toString() {
        return RECEIVE_SIDE.known(value - RECEIVE.value)
                ? RECEIVE_SIDE.name(value - RECEIVE.value)
                : SEND_SIDE.name(value);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The kernel's numbers for the operations of send work requests (`enum ib_uverbs_wr_opcode`,
/// include/uapi/rdma/ib_user_verbs.h). They are plain `int`s, because the data path handles primitives only.
public final class WorkRequestOpcode {
    /// `IBV_WR_RDMA_WRITE`.
    public static final int RDMA_WRITE = 0;
    /// `IBV_WR_RDMA_WRITE_WITH_IMM`.
    public static final int RDMA_WRITE_WITH_IMMEDIATE = 1;
    /// `IBV_WR_SEND`.
    public static final int SEND = 2;
    /// `IBV_WR_SEND_WITH_IMM`.
    public static final int SEND_WITH_IMMEDIATE = 3;
    /// `IBV_WR_RDMA_READ`.
    public static final int RDMA_READ = 4;
    /// `IBV_WR_ATOMIC_CMP_AND_SWP`.
    public static final int COMPARE_AND_SWAP = 5;
    /// `IBV_WR_ATOMIC_FETCH_AND_ADD`.
    public static final int FETCH_AND_ADD = 6;
    /// `IBV_WR_LOCAL_INV`.
    public static final int LOCAL_INVALIDATE = 7;
    /// `IBV_WR_BIND_MW`.
    public static final int BIND_MEMORY_WINDOW = 8;
    /// `IBV_WR_SEND_WITH_INV`.
    public static final int SEND_WITH_INVALIDATE = 9;
    /// `IBV_WR_FLUSH`.
    public static final int FLUSH = 14;
    /// `IBV_WR_ATOMIC_WRITE`.
    public static final int ATOMIC_WRITE = 15;

    private static final CodeNames NAMES = new CodeNames(
            "RDMA_WRITE",
            "RDMA_WRITE_WITH_IMMEDIATE",
            "SEND",
            "SEND_WITH_IMMEDIATE",
            "RDMA_READ",
            "COMPARE_AND_SWAP",
            "FETCH_AND_ADD",
            "LOCAL_INVALIDATE",
            "BIND_MEMORY_WINDOW",
            "SEND_WITH_INVALIDATE",
            "",
            "",
            "",
            "",
            "FLUSH",
            "ATOMIC_WRITE");

    private WorkRequestOpcode() {}

    /// Returns the name of an opcode, or `UNKNOWN(n)`.
    public static String name(int opcode) {
        return NAMES.name(opcode);
    }
}

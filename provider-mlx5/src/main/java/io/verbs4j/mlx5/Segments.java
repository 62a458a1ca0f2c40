// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The parts of work requests and completions: segments of multiples of 16 bytes, in network order. Names are those of
/// mlx5dv.h, libmlx5's public header.
final class Segments {
    private static final String HEADER = "infiniband/mlx5dv.h";

    static final CStruct CONTROL = CStruct.of(
            HEADER,
            "mlx5_wqe_ctrl_seg",
            be32("opmod_idx_opcode", "modifier, number of the first block, operation"),
            be32("qpn_ds", "queue pair and number of segments"),
            u8("signature"),
            bytes("dci_stream_channel_id", 2),
            u8("fm_ce_se", "fence, completion, solicited"),
            be32("imm", "immediate data or a key"));

    static final CStruct REMOTE = CStruct.of(
            HEADER, "mlx5_wqe_raddr_seg", be64("raddr", ""), be32("rkey", ""), be32("reserved", ""));

    static final CStruct ATOMIC =
            CStruct.of(HEADER, "mlx5_wqe_atomic_seg", be64("swap_add", ""), be64("compare", ""));

    static final CStruct DATA = CStruct.of(
            HEADER, "mlx5_wqe_data_seg", be32("byte_count", ""), be32("lkey", ""), be64("addr", ""));

    static final CStruct VECTOR = CStruct.of(
            HEADER,
            "mlx5_wqe_av",
            union("key", struct("qkey", be32("qkey", ""), be32("reserved", "")), be64("dc_key", "")),
            be32("dqp_dct", "queue pair and a mark"),
            u8("stat_rate_sl"),
            u8("fl_mlid"),
            be16("rlid", "the UDP source port, on RoCE v2"),
            bytes("reserved0", 4),
            bytes("rmac", 6),
            u8("tclass"),
            u8("hop_limit"),
            be32("grh_gid_fl", "source GID index and flow label"),
            bytes("rgid", 16));

    static final CStruct UMR_CONTROL = CStruct.of(
            HEADER,
            "mlx5_wqe_umr_ctrl_seg",
            u8("flags"),
            bytes("rsvd0", 3),
            be16("klm_octowords", ""),
            union(be16("translation_offset", ""), be16("bsf_octowords", "")),
            be64("mkey_mask", "which fields of the key change"),
            bytes("rsvd1", 32));

    static final CStruct KEY_CONTEXT = CStruct.of(
            HEADER,
            "mlx5_wqe_mkey_context_seg",
            u8("free"),
            u8("reserved1"),
            u8("access_flags"),
            u8("sf"),
            be32("qpn_mkey", ""),
            be32("reserved2", ""),
            be32("flags_pd", ""),
            be64("start_addr", ""),
            be64("len", ""),
            be32("bsf_octword_size", ""),
            array("reserved3", 4, JAVA_INT),
            be32("translations_octword_size", ""),
            bytes("reserved4", 3),
            u8("log_page_size"),
            be32("reserved", ""));

    static final CStruct UMR_DATA = CStruct.of(
            HEADER, "mlx5_wqe_umr_klm_seg", be32("byte_count", ""), be32("mkey", ""), be64("address", ""));

    static final CStruct SHARED_NEXT = CStruct.of(
            HEADER,
            "mlx5_wqe_srq_next_seg",
            bytes("rsvd0", 2),
            be16("next_wqe_index", "the element behind this one"),
            u8("signature"),
            bytes("rsvd1", 11));

    /// The members after the first 32 bytes in the completion of a message; those of a matched tag are unused here.
    static final CStruct COMPLETION = CStruct.of(
            HEADER,
            "mlx5_cqe64",
            bytes("rsvd0", 2),
            be16("wqe_id", ""),
            bytes("rsvd4", 13),
            u8("ml_path"),
            bytes("rsvd20", 4),
            be16("slid", ""),
            be32("flags_rqpn", "service level, header, source queue pair"),
            u8("hds_ip_ext"),
            u8("l4_hdr_type_etc"),
            be16("vlan_info", ""),
            be32("srqn_uidx", "shared receive queue, 0 for none"),
            be32("imm_inval_pkey", ""),
            u8("app"),
            u8("app_op"),
            be16("app_info", ""),
            be32("byte_cnt", ""),
            be64("timestamp", ""),
            be32("sop_drop_qpn", "operation and queue pair"),
            be16("wqe_counter", "first block of the work request"),
            u8("signature"),
            u8("op_own", "kind of completion, and its owner"));

    static final CStruct ERROR = CStruct.of(
            HEADER,
            "mlx5_err_cqe",
            bytes("rsvd0", 32),
            be32("srqn", ""),
            bytes("rsvd1", 18),
            u8("vendor_err_synd"),
            u8("syndrome"),
            be32("s_wqe_opcode_qpn", ""),
            be16("wqe_counter", ""),
            u8("signature"),
            u8("op_own"));

    /// Bytes of a segment.
    static final int UNIT = DATA.size();

    static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(UNIT);

    /// Bytes of a block, the unit of a work request's size (`MLX5_SEND_WQE_BB`).
    static final int BLOCK = 64;

    static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(BLOCK);

    /// A word in network order.
    static final VarHandle LONG =
            JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle().withInvokeExactBehavior();

    static final VarHandle INT =
            JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle().withInvokeExactBehavior();

    static final VarHandle SHORT =
            JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN).varHandle().withInvokeExactBehavior();

    private Segments() {}

    /// Returns two adjacent numbers of 32 bits as a word in network order.
    static long pair(int first, int second) {
        return (long) first << Integer.SIZE | Integer.toUnsignedLong(second);
    }
}

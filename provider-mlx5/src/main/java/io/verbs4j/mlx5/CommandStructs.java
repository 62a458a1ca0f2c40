// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;

import io.verbs4j.abi.uapi.CStruct;

/// mlx5's additions to requests and responses of the kernel (include/uapi/rdma/mlx5-abi.h). Reserved members are zero;
/// the kernel checks that.
final class CommandStructs {
    static final String HEADER = "include/uapi/rdma/mlx5-abi.h";

    static final CStruct CONTEXT_REQUEST = CStruct.of(
            HEADER,
            "mlx5_ib_alloc_ucontext_req_v2",
            u32("total_num_bfregs", "doorbell registers, an even number"),
            u32("num_low_latency_bfregs", "those that one queue pair has for itself"),
            u32("flags"),
            u32("comp_mask"),
            u8("max_cqe_version", "0: completions contain the queue pair's number"),
            u8("reserved0"),
            u16("reserved1"),
            u32("reserved2"),
            u64("lib_caps", "bit 0: supports doorbell pages of 4096 bytes"));

    static final CStruct CONTEXT_ANSWER = CStruct.of(
            HEADER,
            "mlx5_ib_alloc_ucontext_resp",
            u32("qp_tab_size"),
            u32("bf_reg_size", "bytes of a doorbell register: two halves, used by turns"),
            u32("tot_bfregs"),
            u32("cache_line_size"),
            u16("max_sq_desc_sz", "bytes of the longest send work request"),
            u16("max_rq_desc_sz", "bytes of the longest receive"),
            u32("max_send_wqebb", "blocks of the longest send queue"),
            u32("max_recv_wr"),
            u32("max_srq_recv_wr"),
            u16("num_ports"),
            u16("flow_action_flags"),
            u32("comp_mask"),
            u32("response_length"),
            u8("cqe_version"),
            u8("cmds_supp_uhw", "commands with a driver part: bit 1 for address handles"),
            u8("eth_min_inline"),
            u8("clock_info_versions"),
            u64("hca_core_clock_offset"),
            u32("log_uar_size"),
            u32("num_uars_per_page", "doorbell pages in a page of the processor"),
            u32("num_dyn_bfregs"),
            u32("dump_fill_mkey"));

    static final CStruct DOMAIN_ANSWER = CStruct.of(HEADER, "mlx5_ib_alloc_pd_resp", u32("pdn"));

    static final CStruct CREATE_CQ = CStruct.of(
            HEADER,
            "mlx5_ib_create_cq",
            u64("buf_addr"),
            u64("db_addr"),
            u32("cqe_size"),
            u8("cqe_comp_en"),
            u8("cqe_comp_res_format"),
            u16("flags"),
            u16("uar_page_index"),
            u16("reserved0"),
            u32("reserved1"));

    static final CStruct CREATE_CQ_ANSWER =
            CStruct.of(HEADER, "mlx5_ib_create_cq_resp", u32("cqn"), u32("reserved"));

    static final CStruct RESIZE_CQ = CStruct.of(
            HEADER, "mlx5_ib_resize_cq", u64("buf_addr"), u16("cqe_size"), u16("reserved0"), u32("reserved1"));

    static final CStruct CREATE_SRQ = CStruct.of(
            HEADER,
            "mlx5_ib_create_srq",
            u64("buf_addr"),
            u64("db_addr"),
            u32("flags"),
            u32("reserved0"),
            u32("uidx"),
            u32("reserved1"));

    static final CStruct CREATE_SRQ_ANSWER =
            CStruct.of(HEADER, "mlx5_ib_create_srq_resp", u32("srqn"), u32("reserved"));

    static final CStruct CREATE_QP = CStruct.of(
            HEADER,
            "mlx5_ib_create_qp",
            u64("buf_addr"),
            u64("db_addr"),
            u32("sq_wqe_count", "blocks of 64 bytes"),
            u32("rq_wqe_count"),
            u32("rq_wqe_shift", "logarithm of a receive's bytes"),
            u32("flags"),
            u32("uidx", "0xffffff: none, completions contain the queue pair's number"),
            u32("bfreg_index"),
            union(u64("sq_buf_addr"), u64("access_key")),
            u32("ece_options"),
            struct("dci_streams", u8("log_num_concurent"), u8("log_num_errored")),
            u16("reserved"));

    static final CStruct CREATE_QP_ANSWER = CStruct.of(
            HEADER,
            "mlx5_ib_create_qp_resp",
            u32("bfreg_index", "the doorbell register that the kernel has chosen"),
            u32("ece_options"),
            u32("comp_mask"),
            u32("tirn"),
            u32("tisn"),
            u32("rqn"),
            u32("sqn"),
            u32("reserved1"),
            u64("tir_icm_addr"));

    static final CStruct CREATE_AH_ANSWER = CStruct.of(
            HEADER,
            "mlx5_ib_create_ah_resp",
            u32("response_length"),
            bytes("dmac", 6, "the destination's Ethernet address"),
            bytes("reserved", 6));

    private CommandStructs() {}
}

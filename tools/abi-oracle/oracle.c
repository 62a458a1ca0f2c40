// SPDX-License-Identifier: Apache-2.0
/*
 * What a C compiler makes of the kernel's uapi headers: size of each struct, offset and size of each field, value of each
 * constant that verbs4j uses. Run by generate.sh; the output is a test fixture. One fact a line:
 *
 *   struct NAME SIZE
 *   field STRUCT PATH OFFSET SIZE      an array without a length has size 0
 *   const NAME VALUE
 *   absent NAME                        these headers do not have the constant yet
 *
 * Each struct's fields are listed once, in a macro that the structs which contain it use too. A field that is forgotten
 * shows: the program fails if a byte of a struct belongs to no field.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netlink.h>
#include <linux/time_types.h>
#include <linux/version.h>
#include <poll.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_netlink.h>
#include <rdma/rdma_user_cm.h>
#include <rdma/rdma_user_ioctl.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/siw-abi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

/* F: a field, A: an array without a length, P: the path to the struct that holds it. */

/* Members that older headers lack; generate.sh probes for them. */
#ifdef HAVE_FLUSH
#define FIELDS_FLUSH(F, P) \
    F(P flush) F(P flush.remote_addr) F(P flush.length) F(P flush.rkey) F(P flush.type) F(P flush.level)
#else
#define FIELDS_FLUSH(F, P)
#endif
#ifdef HAVE_ATOMIC_WR
#define FIELDS_ATOMIC_WR(A, P) A(P atomic_wr)
#else
#define FIELDS_ATOMIC_WR(A, P)
#endif
#ifdef HAVE_SPEED
#define FIELDS_SPEED(F, P) F(P active_speed_ex)
#else
#define FIELDS_SPEED(F, P)
#endif

#define FIELDS_ib_uverbs_ioctl_hdr(F, A, P) \
    F(P length) F(P object_id) F(P method_id) F(P num_attrs) F(P reserved1) F(P driver_id) F(P reserved2)
#define FIELDS_ib_uverbs_attr(F, A, P) \
    F(P attr_id) F(P len) F(P flags) F(P attr_data) F(P attr_data.enum_data) F(P attr_data.enum_data.elem_id) \
    F(P attr_data.enum_data.reserved) F(P attr_data.reserved) F(P data) F(P data_s64)
#define FIELDS_ib_uverbs_cmd_hdr(F, A, P) \
    F(P command) F(P in_words) F(P out_words)
#define FIELDS_ib_uverbs_ex_cmd_hdr(F, A, P) \
    F(P response) F(P provider_in_words) F(P provider_out_words) F(P cmd_hdr_reserved)
#define FIELDS_ib_uverbs_get_context(F, A, P) \
    F(P response)
#define FIELDS_ib_uverbs_get_context_resp(F, A, P) \
    F(P async_fd) F(P num_comp_vectors)
#define FIELDS_ib_uverbs_query_device(F, A, P) \
    F(P response)
#define FIELDS_ib_uverbs_query_device_resp(F, A, P) \
    F(P fw_ver) F(P node_guid) F(P sys_image_guid) F(P max_mr_size) F(P page_size_cap) F(P vendor_id) \
    F(P vendor_part_id) F(P hw_ver) F(P max_qp) F(P max_qp_wr) F(P device_cap_flags) F(P max_sge) F(P max_sge_rd) \
    F(P max_cq) F(P max_cqe) F(P max_mr) F(P max_pd) F(P max_qp_rd_atom) F(P max_ee_rd_atom) F(P max_res_rd_atom) \
    F(P max_qp_init_rd_atom) F(P max_ee_init_rd_atom) F(P atomic_cap) F(P max_ee) F(P max_rdd) F(P max_mw) \
    F(P max_raw_ipv6_qp) F(P max_raw_ethy_qp) F(P max_mcast_grp) F(P max_mcast_qp_attach) \
    F(P max_total_mcast_qp_attach) F(P max_ah) F(P max_fmr) F(P max_map_per_fmr) F(P max_srq) F(P max_srq_wr) \
    F(P max_srq_sge) F(P max_pkeys) F(P local_ca_ack_delay) F(P phys_port_cnt) F(P reserved)
#define FIELDS_ib_uverbs_ex_query_device(F, A, P) \
    F(P comp_mask) F(P reserved)
#define FIELDS_ib_uverbs_odp_caps(F, A, P) \
    F(P general_caps) F(P per_transport_caps) F(P per_transport_caps.rc_odp_caps) \
    F(P per_transport_caps.uc_odp_caps) F(P per_transport_caps.ud_odp_caps) F(P reserved)
#define FIELDS_ib_uverbs_rss_caps(F, A, P) \
    F(P supported_qpts) F(P max_rwq_indirection_tables) F(P max_rwq_indirection_table_size) F(P reserved)
#define FIELDS_ib_uverbs_tm_caps(F, A, P) \
    F(P max_rndv_hdr_size) F(P max_num_tags) F(P flags) F(P max_ops) F(P max_sge) F(P reserved)
#define FIELDS_ib_uverbs_cq_moderation_caps(F, A, P) \
    F(P max_cq_moderation_count) F(P max_cq_moderation_period) F(P reserved)
#define FIELDS_ib_uverbs_ex_query_device_resp(F, A, P) \
    F(P base) FIELDS_ib_uverbs_query_device_resp(F, A, P base.) F(P comp_mask) F(P response_length) F(P odp_caps) \
    FIELDS_ib_uverbs_odp_caps(F, A, P odp_caps.) F(P timestamp_mask) F(P hca_core_clock) F(P device_cap_flags_ex) \
    F(P rss_caps) FIELDS_ib_uverbs_rss_caps(F, A, P rss_caps.) F(P max_wq_type_rq) F(P raw_packet_caps) F(P tm_caps) \
    FIELDS_ib_uverbs_tm_caps(F, A, P tm_caps.) F(P cq_moderation_caps) \
    FIELDS_ib_uverbs_cq_moderation_caps(F, A, P cq_moderation_caps.) F(P max_dm_size) F(P xrc_odp_caps) \
    F(P reserved)
#define FIELDS_ib_uverbs_query_port(F, A, P) \
    F(P response) F(P port_num) F(P reserved)
#define FIELDS_ib_uverbs_query_port_resp(F, A, P) \
    F(P port_cap_flags) F(P max_msg_sz) F(P bad_pkey_cntr) F(P qkey_viol_cntr) F(P gid_tbl_len) F(P pkey_tbl_len) \
    F(P lid) F(P sm_lid) F(P state) F(P max_mtu) F(P active_mtu) F(P lmc) F(P max_vl_num) F(P sm_sl) \
    F(P subnet_timeout) F(P init_type_reply) F(P active_width) F(P active_speed) F(P phys_state) F(P link_layer) \
    F(P flags) F(P reserved)
#define FIELDS_ib_uverbs_query_port_resp_ex(F, A, P) \
    F(P legacy_resp) FIELDS_ib_uverbs_query_port_resp(F, A, P legacy_resp.) F(P port_cap_flags2) F(P reserved) \
    FIELDS_SPEED(F, P)
#define FIELDS_ib_uverbs_gid_entry(F, A, P) \
    F(P gid) F(P gid_index) F(P port_num) F(P gid_type) F(P netdev_ifindex)
#define FIELDS_ib_uverbs_alloc_pd(F, A, P) \
    F(P response)
#define FIELDS_ib_uverbs_alloc_pd_resp(F, A, P) \
    F(P pd_handle)
#define FIELDS_ib_uverbs_dealloc_pd(F, A, P) \
    F(P pd_handle)
#define FIELDS_ib_uverbs_reg_mr(F, A, P) \
    F(P response) F(P start) F(P length) F(P hca_va) F(P pd_handle) F(P access_flags)
#define FIELDS_ib_uverbs_reg_mr_resp(F, A, P) \
    F(P mr_handle) F(P lkey) F(P rkey)
#define FIELDS_ib_uverbs_rereg_mr(F, A, P) \
    F(P response) F(P mr_handle) F(P flags) F(P start) F(P length) F(P hca_va) F(P pd_handle) F(P access_flags)
#define FIELDS_ib_uverbs_rereg_mr_resp(F, A, P) \
    F(P lkey) F(P rkey)
#define FIELDS_ib_uverbs_dereg_mr(F, A, P) \
    F(P mr_handle)
#define FIELDS_ib_uverbs_sge(F, A, P) \
    F(P addr) F(P length) F(P lkey)
#define FIELDS_ib_uverbs_alloc_mw(F, A, P) \
    F(P response) F(P pd_handle) F(P mw_type) F(P reserved)
#define FIELDS_ib_uverbs_alloc_mw_resp(F, A, P) \
    F(P mw_handle) F(P rkey)
#define FIELDS_ib_uverbs_dealloc_mw(F, A, P) \
    F(P mw_handle)
#define FIELDS_ib_uverbs_global_route(F, A, P) \
    F(P dgid) F(P flow_label) F(P sgid_index) F(P hop_limit) F(P traffic_class) F(P reserved)
#define FIELDS_ib_uverbs_ah_attr(F, A, P) \
    F(P grh) FIELDS_ib_uverbs_global_route(F, A, P grh.) F(P dlid) F(P sl) F(P src_path_bits) F(P static_rate) \
    F(P is_global) F(P port_num) F(P reserved)
#define FIELDS_ib_uverbs_create_ah(F, A, P) \
    F(P response) F(P user_handle) F(P pd_handle) F(P reserved) F(P attr) FIELDS_ib_uverbs_ah_attr(F, A, P attr.)
#define FIELDS_ib_uverbs_create_ah_resp(F, A, P) \
    F(P ah_handle)
#define FIELDS_ib_uverbs_destroy_ah(F, A, P) \
    F(P ah_handle)
#define FIELDS_ib_uverbs_create_comp_channel(F, A, P) \
    F(P response)
#define FIELDS_ib_uverbs_create_comp_channel_resp(F, A, P) \
    F(P fd)
#define FIELDS_ib_uverbs_create_cq(F, A, P) \
    F(P response) F(P user_handle) F(P cqe) F(P comp_vector) F(P comp_channel) F(P reserved)
#define FIELDS_ib_uverbs_create_cq_resp(F, A, P) \
    F(P cq_handle) F(P cqe)
#define FIELDS_ib_uverbs_ex_create_cq(F, A, P) \
    F(P user_handle) F(P cqe) F(P comp_vector) F(P comp_channel) F(P comp_mask) F(P flags) F(P reserved)
#define FIELDS_ib_uverbs_ex_create_cq_resp(F, A, P) \
    F(P base) FIELDS_ib_uverbs_create_cq_resp(F, A, P base.) F(P comp_mask) F(P response_length)
#define FIELDS_ib_uverbs_resize_cq(F, A, P) \
    F(P response) F(P cq_handle) F(P cqe)
#define FIELDS_ib_uverbs_resize_cq_resp(F, A, P) \
    F(P cqe) F(P reserved)
#define FIELDS_ib_uverbs_req_notify_cq(F, A, P) \
    F(P cq_handle) F(P solicited_only)
#define FIELDS_ib_uverbs_destroy_cq(F, A, P) \
    F(P response) F(P cq_handle) F(P reserved)
#define FIELDS_ib_uverbs_destroy_cq_resp(F, A, P) \
    F(P comp_events_reported) F(P async_events_reported)
#define FIELDS_ib_uverbs_create_srq(F, A, P) \
    F(P response) F(P user_handle) F(P pd_handle) F(P max_wr) F(P max_sge) F(P srq_limit)
#define FIELDS_ib_uverbs_create_srq_resp(F, A, P) \
    F(P srq_handle) F(P max_wr) F(P max_sge) F(P srqn)
#define FIELDS_ib_uverbs_modify_srq(F, A, P) \
    F(P srq_handle) F(P attr_mask) F(P max_wr) F(P srq_limit)
#define FIELDS_ib_uverbs_query_srq(F, A, P) \
    F(P response) F(P srq_handle) F(P reserved)
#define FIELDS_ib_uverbs_query_srq_resp(F, A, P) \
    F(P max_wr) F(P max_sge) F(P srq_limit) F(P reserved)
#define FIELDS_ib_uverbs_destroy_srq(F, A, P) \
    F(P response) F(P srq_handle) F(P reserved)
#define FIELDS_ib_uverbs_destroy_srq_resp(F, A, P) \
    F(P events_reported)
#define FIELDS_ib_uverbs_qp_cap(F, A, P) \
    F(P max_send_wr) F(P max_recv_wr) F(P max_send_sge) F(P max_recv_sge) F(P max_inline_data)
#define FIELDS_ib_uverbs_create_qp(F, A, P) \
    F(P response) F(P user_handle) F(P pd_handle) F(P send_cq_handle) F(P recv_cq_handle) F(P srq_handle) \
    F(P max_send_wr) F(P max_recv_wr) F(P max_send_sge) F(P max_recv_sge) F(P max_inline_data) F(P sq_sig_all) \
    F(P qp_type) F(P is_srq) F(P reserved)
#define FIELDS_ib_uverbs_create_qp_resp(F, A, P) \
    F(P qp_handle) F(P qpn) F(P max_send_wr) F(P max_recv_wr) F(P max_send_sge) F(P max_recv_sge) \
    F(P max_inline_data) F(P reserved)
#define FIELDS_ib_uverbs_qp_dest(F, A, P) \
    F(P dgid) F(P flow_label) F(P dlid) F(P reserved) F(P sgid_index) F(P hop_limit) F(P traffic_class) F(P sl) \
    F(P src_path_bits) F(P static_rate) F(P is_global) F(P port_num)
#define FIELDS_ib_uverbs_modify_qp(F, A, P) \
    F(P dest) FIELDS_ib_uverbs_qp_dest(F, A, P dest.) F(P alt_dest) FIELDS_ib_uverbs_qp_dest(F, A, P alt_dest.) \
    F(P qp_handle) F(P attr_mask) F(P qkey) F(P rq_psn) F(P sq_psn) F(P dest_qp_num) F(P qp_access_flags) \
    F(P pkey_index) F(P alt_pkey_index) F(P qp_state) F(P cur_qp_state) F(P path_mtu) F(P path_mig_state) \
    F(P en_sqd_async_notify) F(P max_rd_atomic) F(P max_dest_rd_atomic) F(P min_rnr_timer) F(P port_num) \
    F(P timeout) F(P retry_cnt) F(P rnr_retry) F(P alt_port_num) F(P alt_timeout) F(P reserved)
#define FIELDS_ib_uverbs_ex_modify_qp(F, A, P) \
    F(P base) FIELDS_ib_uverbs_modify_qp(F, A, P base.) F(P rate_limit) F(P reserved)
#define FIELDS_ib_uverbs_ex_modify_qp_resp(F, A, P) \
    F(P comp_mask) F(P response_length)
#define FIELDS_ib_uverbs_query_qp(F, A, P) \
    F(P response) F(P qp_handle) F(P attr_mask)
#define FIELDS_ib_uverbs_query_qp_resp(F, A, P) \
    F(P dest) FIELDS_ib_uverbs_qp_dest(F, A, P dest.) F(P alt_dest) FIELDS_ib_uverbs_qp_dest(F, A, P alt_dest.) \
    F(P max_send_wr) F(P max_recv_wr) F(P max_send_sge) F(P max_recv_sge) F(P max_inline_data) F(P qkey) F(P rq_psn) \
    F(P sq_psn) F(P dest_qp_num) F(P qp_access_flags) F(P pkey_index) F(P alt_pkey_index) F(P qp_state) \
    F(P cur_qp_state) F(P path_mtu) F(P path_mig_state) F(P sq_draining) F(P max_rd_atomic) F(P max_dest_rd_atomic) \
    F(P min_rnr_timer) F(P port_num) F(P timeout) F(P retry_cnt) F(P rnr_retry) F(P alt_port_num) F(P alt_timeout) \
    F(P sq_sig_all) F(P reserved)
#define FIELDS_ib_uverbs_destroy_qp(F, A, P) \
    F(P response) F(P qp_handle) F(P reserved)
#define FIELDS_ib_uverbs_destroy_qp_resp(F, A, P) \
    F(P events_reported)
#define FIELDS_ib_uverbs_post_send(F, A, P) \
    F(P response) F(P qp_handle) F(P wr_count) F(P sge_count) F(P wqe_size)
#define FIELDS_ib_uverbs_post_send_resp(F, A, P) \
    F(P bad_wr)
#define FIELDS_ib_uverbs_attach_mcast(F, A, P) \
    F(P gid) F(P qp_handle) F(P mlid) F(P reserved)
#define FIELDS_ib_uverbs_detach_mcast(F, A, P) \
    F(P gid) F(P qp_handle) F(P mlid) F(P reserved)
#define FIELDS_ib_uverbs_async_event_desc(F, A, P) \
    F(P element) F(P event_type) F(P reserved)
#define FIELDS_ib_uverbs_comp_event_desc(F, A, P) \
    F(P cq_handle)
#define FIELDS_ib_uverbs_wc(F, A, P) \
    F(P wr_id) F(P status) F(P opcode) F(P vendor_err) F(P byte_len) F(P ex) F(P ex.imm_data) \
    F(P ex.invalidate_rkey) F(P qp_num) F(P src_qp) F(P wc_flags) F(P pkey_index) F(P slid) F(P sl) \
    F(P dlid_path_bits) F(P port_num) F(P reserved)
#define FIELDS_mminfo(F, A, P) \
    F(P offset) F(P size) F(P pad)
#define FIELDS_rxe_sge(F, A, P) \
    F(P addr) F(P length) F(P lkey)
#define FIELDS_rxe_dma_info(F, A, P) \
    F(P length) F(P resid) F(P cur_sge) F(P num_sge) F(P sge_offset) F(P reserved) A(P inline_data) FIELDS_ATOMIC_WR(A, P) \
    A(P sge)
#define FIELDS_rxe_av(F, A, P) \
    F(P port_num) F(P network_type) F(P dmac) F(P grh) F(P grh.dgid) F(P grh.flow_label) F(P grh.sgid_index) \
    F(P grh.hop_limit) F(P grh.traffic_class) F(P sgid_addr) F(P sgid_addr._sockaddr_in) \
    F(P sgid_addr._sockaddr_in6) F(P dgid_addr) F(P dgid_addr._sockaddr_in) F(P dgid_addr._sockaddr_in6)
#define FIELDS_rxe_send_wr(F, A, P) \
    F(P wr_id) F(P reserved) F(P opcode) F(P send_flags) F(P ex) F(P ex.imm_data) F(P ex.invalidate_rkey) F(P wr) \
    FIELDS_FLUSH(F, P wr.) F(P wr.rdma) F(P wr.rdma.remote_addr) F(P wr.rdma.rkey) F(P wr.rdma.reserved) F(P wr.atomic) \
    F(P wr.atomic.remote_addr) F(P wr.atomic.compare_add) F(P wr.atomic.swap) F(P wr.atomic.rkey) \
    F(P wr.atomic.reserved) F(P wr.ud) F(P wr.ud.remote_qpn) F(P wr.ud.remote_qkey) F(P wr.ud.pkey_index) \
    F(P wr.ud.reserved) F(P wr.ud.ah_num) F(P wr.ud.pad) F(P wr.ud.av) FIELDS_rxe_av(F, A, P wr.ud.av.) F(P wr.mw) \
    F(P wr.mw.addr) F(P wr.mw.length) F(P wr.mw.mr_lkey) F(P wr.mw.mw_rkey) F(P wr.mw.rkey) F(P wr.mw.access)
#define FIELDS_rxe_send_wqe(F, A, P) \
    F(P wr) FIELDS_rxe_send_wr(F, A, P wr.) F(P status) F(P state) F(P iova) F(P mask) F(P first_psn) F(P last_psn) \
    F(P ack_length) F(P ssn) F(P has_rd_atomic) F(P dma) FIELDS_rxe_dma_info(F, A, P dma.)
#define FIELDS_rxe_recv_wqe(F, A, P) \
    F(P wr_id) F(P reserved) F(P padding) F(P dma) FIELDS_rxe_dma_info(F, A, P dma.)
#define FIELDS_rxe_create_ah_resp(F, A, P) \
    F(P ah_num) F(P reserved)
#define FIELDS_rxe_create_cq_resp(F, A, P) \
    F(P mi) FIELDS_mminfo(F, A, P mi.)
#define FIELDS_rxe_resize_cq_resp(F, A, P) \
    F(P mi) FIELDS_mminfo(F, A, P mi.)
#define FIELDS_rxe_create_qp_resp(F, A, P) \
    F(P rq_mi) FIELDS_mminfo(F, A, P rq_mi.) F(P sq_mi) FIELDS_mminfo(F, A, P sq_mi.)
#define FIELDS_rxe_create_srq_resp(F, A, P) \
    F(P mi) FIELDS_mminfo(F, A, P mi.) F(P srq_num) F(P reserved)
#define FIELDS_rxe_modify_srq_cmd(F, A, P) \
    F(P mmap_info_addr)
#define FIELDS_rxe_queue_buf(F, A, P) \
    F(P log2_elem_size) F(P index_mask) F(P pad_1) F(P producer_index) F(P pad_2) F(P consumer_index) F(P pad_3) \
    A(P data)
#ifdef HAVE_EVENT_ARG
#define FIELDS_EVENT_ARG(F, P) F(P arg32)
#else
#define FIELDS_EVENT_ARG(F, P)
#endif
#define FIELDS_sockaddr_in(F, A, P) \
    F(P sin_family) F(P sin_port) F(P sin_addr) F(P __pad)
#define FIELDS_sockaddr_in6(F, A, P) \
    F(P sin6_family) F(P sin6_port) F(P sin6_flowinfo) F(P sin6_addr) F(P sin6_scope_id)
#define FIELDS_group_req(F, A, P) \
    F(P gr_interface) HOLE(4, 4) F(P gr_group)
#define FIELDS_ib_uverbs_qp_attr(F, A, P) \
    F(P qp_attr_mask) F(P qp_state) F(P cur_qp_state) F(P path_mtu) F(P path_mig_state) F(P qkey) F(P rq_psn) \
    F(P sq_psn) F(P dest_qp_num) F(P qp_access_flags) F(P ah_attr) FIELDS_ib_uverbs_ah_attr(F, A, P ah_attr.) \
    F(P alt_ah_attr) FIELDS_ib_uverbs_ah_attr(F, A, P alt_ah_attr.) F(P max_send_wr) F(P max_recv_wr) \
    F(P max_send_sge) F(P max_recv_sge) F(P max_inline_data) F(P pkey_index) F(P alt_pkey_index) \
    F(P en_sqd_async_notify) F(P sq_draining) F(P max_rd_atomic) F(P max_dest_rd_atomic) F(P min_rnr_timer) \
    F(P port_num) F(P timeout) F(P retry_cnt) F(P rnr_retry) F(P alt_port_num) F(P alt_timeout) F(P reserved)
#define FIELDS_ib_user_path_rec(F, A, P) \
    F(P dgid) F(P sgid) F(P dlid) F(P slid) F(P raw_traffic) F(P flow_label) F(P reversible) F(P mtu) F(P pkey) \
    F(P hop_limit) F(P traffic_class) F(P numb_path) F(P sl) F(P mtu_selector) F(P rate_selector) F(P rate) \
    F(P packet_life_time_selector) F(P packet_life_time) F(P preference)
#define FIELDS_ib_path_rec_data(F, A, P) \
    F(P flags) F(P reserved) F(P path_rec)
#define FIELDS_rdma_ucm_cmd_hdr(F, A, P) \
    F(P cmd) F(P in) F(P out)
#define FIELDS_rdma_ucm_create_id(F, A, P) \
    F(P uid) F(P response) F(P ps) F(P qp_type) F(P reserved)
#define FIELDS_rdma_ucm_create_id_resp(F, A, P) \
    F(P id)
#define FIELDS_rdma_ucm_destroy_id(F, A, P) \
    F(P response) F(P id) F(P reserved)
#define FIELDS_rdma_ucm_destroy_id_resp(F, A, P) \
    F(P events_reported)
#define FIELDS_rdma_ucm_bind_ip(F, A, P) \
    F(P response) F(P addr) F(P id)
#define FIELDS_rdma_ucm_bind(F, A, P) \
    F(P id) F(P addr_size) F(P reserved) F(P addr)
#define FIELDS_rdma_ucm_resolve_ip(F, A, P) \
    F(P src_addr) F(P dst_addr) F(P id) F(P timeout_ms)
#define FIELDS_rdma_ucm_resolve_addr(F, A, P) \
    F(P id) F(P timeout_ms) F(P src_size) F(P dst_size) F(P reserved) F(P src_addr) F(P dst_addr)
#define FIELDS_rdma_ucm_resolve_route(F, A, P) \
    F(P id) F(P timeout_ms)
#define FIELDS_rdma_ucm_query(F, A, P) \
    F(P response) F(P id) F(P option)
#define FIELDS_rdma_ucm_query_route_resp(F, A, P) \
    F(P node_guid) F(P ib_route) F(P src_addr) F(P dst_addr) F(P num_paths) F(P port_num) F(P reserved) \
    F(P ibdev_index) F(P reserved1)
#define FIELDS_rdma_ucm_query_addr_resp(F, A, P) \
    F(P node_guid) F(P port_num) F(P reserved) F(P pkey) F(P src_size) F(P dst_size) F(P src_addr) F(P dst_addr) \
    F(P ibdev_index) F(P reserved1)
#define FIELDS_rdma_ucm_query_path_resp(F, A, P) \
    F(P num_paths) F(P reserved) A(P path_data)
#define FIELDS_rdma_ucm_conn_param(F, A, P) \
    F(P qp_num) F(P qkey) F(P private_data) F(P private_data_len) F(P srq) F(P responder_resources) \
    F(P initiator_depth) F(P flow_control) F(P retry_count) F(P rnr_retry_count) F(P valid)
#define FIELDS_rdma_ucm_ud_param(F, A, P) \
    F(P qp_num) F(P qkey) F(P ah_attr) FIELDS_ib_uverbs_ah_attr(F, A, P ah_attr.) F(P private_data) \
    F(P private_data_len) F(P reserved)
#define FIELDS_rdma_ucm_ece(F, A, P) \
    F(P vendor_id) F(P attr_mod)
#define FIELDS_rdma_ucm_connect(F, A, P) \
    F(P conn_param) FIELDS_rdma_ucm_conn_param(F, A, P conn_param.) F(P id) F(P reserved) F(P ece) \
    FIELDS_rdma_ucm_ece(F, A, P ece.)
#define FIELDS_rdma_ucm_listen(F, A, P) \
    F(P id) F(P backlog)
#define FIELDS_rdma_ucm_accept(F, A, P) \
    F(P uid) F(P conn_param) FIELDS_rdma_ucm_conn_param(F, A, P conn_param.) F(P id) F(P reserved) F(P ece) \
    FIELDS_rdma_ucm_ece(F, A, P ece.)
#define FIELDS_rdma_ucm_reject(F, A, P) \
    F(P id) F(P private_data_len) F(P reason) F(P reserved) F(P private_data)
#define FIELDS_rdma_ucm_disconnect(F, A, P) \
    F(P id)
#define FIELDS_rdma_ucm_init_qp_attr(F, A, P) \
    F(P response) F(P id) F(P qp_state)
#define FIELDS_rdma_ucm_notify(F, A, P) \
    F(P id) F(P event)
#define FIELDS_rdma_ucm_join_ip_mcast(F, A, P) \
    F(P response) F(P uid) F(P addr) F(P id)
#define FIELDS_rdma_ucm_join_mcast(F, A, P) \
    F(P response) F(P uid) F(P id) F(P addr_size) F(P join_flags) F(P addr)
#define FIELDS_rdma_ucm_get_event(F, A, P) \
    F(P response)
#define FIELDS_rdma_ucm_event_resp(F, A, P) \
    F(P uid) F(P id) F(P event) F(P status) F(P param) F(P param.conn) \
    FIELDS_rdma_ucm_conn_param(F, A, P param.conn.) F(P param.ud) FIELDS_rdma_ucm_ud_param(F, A, P param.ud.) \
    FIELDS_EVENT_ARG(F, P param.) F(P reserved) F(P ece) FIELDS_rdma_ucm_ece(F, A, P ece.)
#define FIELDS_rdma_ucm_set_option(F, A, P) \
    F(P optval) F(P id) F(P level) F(P optname) F(P optlen)
#define FIELDS_rdma_ucm_migrate_id(F, A, P) \
    F(P response) F(P id) F(P fd)
#define FIELDS_rdma_ucm_migrate_resp(F, A, P) \
    F(P events_reported)
#define FIELDS_rdma_ucm_ib_service(F, A, P) \
    F(P service_id) F(P service_name) F(P flags) F(P reserved)
#define FIELDS_rdma_ucm_resolve_ib_service(F, A, P) \
    F(P id) F(P reserved) F(P ibs) FIELDS_rdma_ucm_ib_service(F, A, P ibs.)
#define FIELDS_rdma_ucm_write_cm_event(F, A, P) \
    F(P id) F(P reserved) F(P event) F(P status) F(P param) F(P param.conn) \
    FIELDS_rdma_ucm_conn_param(F, A, P param.conn.) F(P param.ud) FIELDS_rdma_ucm_ud_param(F, A, P param.ud.) \
    F(P param.arg)
#define FIELDS_nlmsghdr(F, A, P) \
    F(P nlmsg_len) F(P nlmsg_type) F(P nlmsg_flags) F(P nlmsg_seq) F(P nlmsg_pid)
#define FIELDS_nlattr(F, A, P) \
    F(P nla_len) F(P nla_type)
#define FIELDS_nlmsgerr(F, A, P) \
    F(P error) F(P msg) FIELDS_nlmsghdr(F, A, P msg.)
#define FIELDS_pollfd(F, A, P) \
    F(P fd) F(P events) F(P revents)
#define FIELDS___kernel_timespec(F, A, P) \
    F(P tv_sec) F(P tv_nsec)
#define FIELDS_sockaddr_ll(F, A, P) \
    F(P sll_family) F(P sll_protocol) F(P sll_ifindex) F(P sll_hatype) F(P sll_pkttype) F(P sll_halen) F(P sll_addr)
#define FIELDS_sock_filter(F, A, P) \
    F(P code) F(P jt) F(P jf) F(P k)
#define FIELDS_sock_fprog(F, A, P) \
    F(P len) HOLE(2, 6) F(P filter)
#define FIELDS_siw_sge(F, A, P) F(P laddr) F(P length) F(P lkey)
#define FIELDS_siw_sqe(F, A, P) \
    F(P id) F(P flags) F(P num_sge) F(P opcode) F(P rkey) F(P raddr) F(P base_mr) F(P sge) F(P access)
#define FIELDS_siw_rqe(F, A, P) F(P id) F(P flags) F(P num_sge) F(P opcode) F(P unused) F(P sge)
#define FIELDS_siw_cqe(F, A, P) \
    F(P id) F(P flags) F(P opcode) F(P status) F(P bytes) F(P imm_data) F(P inval_stag) F(P base_qp) F(P qp_id)
#define FIELDS_siw_cq_ctrl(F, A, P) F(P flags) F(P pad)
#define FIELDS_siw_uresp_alloc_ctx(F, A, P) F(P dev_id) F(P pad)
#define FIELDS_siw_ureq_reg_mr(F, A, P) F(P stag_key) F(P reserved) F(P pad)
#define FIELDS_siw_uresp_reg_mr(F, A, P) F(P stag) F(P pad)
#define FIELDS_siw_uresp_create_cq(F, A, P) F(P cq_id) F(P num_cqe) F(P cq_key)
#define FIELDS_siw_uresp_create_qp(F, A, P) \
    F(P qp_id) F(P num_sqe) F(P num_rqe) F(P pad) F(P sq_key) F(P rq_key)
#define FIELDS_siw_uresp_create_srq(F, A, P) F(P num_rqe) F(P pad) F(P srq_key)
#define FIELDS_tpacket_stats(F, A, P) \
    F(P tp_packets) F(P tp_drops)

static unsigned char covered[1024];

/* A path is written with spaces where the preprocessor joined its parts. */
static const char *path(const char *text)
{
    static char result[128];
    char *end = result;
    for (; *text; text++)
        if (*text != ' ')
            *end++ = *text;
    *end = 0;
    return result;
}

static void begin(const char *name, size_t size)
{
    if (size > sizeof(covered))
        abort();
    memset(covered, 0, sizeof(covered));
    printf("struct %s %zu\n", name, size);
}

static void field(const char *name, const char *text, size_t offset, size_t size)
{
    memset(covered + offset, 1, size);
    printf("field %s %s %zu %zu\n", name, path(text), offset, size);
}

static int end(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!covered[i]) {
            fprintf(stderr, "struct %s: byte %zu belongs to no field\n", name, i);
            return 1;
        }
    }
    return 0;
}

#define TEXT(x) #x
#define FIELD(x) field(name, TEXT(x), offsetof(T, x), sizeof(((T *)0)->x));
#define ARRAY(x) field(name, TEXT(x), offsetof(T, x), 0);
/* Padding for alignment. */
#define HOLE(offset, size) memset(covered + (offset), 1, size);
#define STRUCT(type) \
    { \
        typedef struct type T; \
        const char *name = #type; \
        begin(name, sizeof(T)); \
        FIELDS_##type(FIELD, ARRAY, ) \
        failures += end(name, sizeof(T)); \
    }
#define CONST(x) printf("const %s %lld\n", #x, (long long)(x));
/* generate.sh makes a CONST or an ABSENT of it. */
#define OPTIONAL(x) CONST(x)
#define ABSENT(x) printf("absent %s\n", #x);

int main(void)
{
    int failures = 0;

    printf("# uapi headers of Linux %d.%d.%d\n", LINUX_VERSION_CODE >> 16, LINUX_VERSION_CODE >> 8 & 0xff,
           LINUX_VERSION_CODE & 0xff);

    STRUCT(ib_uverbs_ioctl_hdr)
    STRUCT(ib_uverbs_attr)
    STRUCT(ib_uverbs_cmd_hdr)
    STRUCT(ib_uverbs_ex_cmd_hdr)
    STRUCT(ib_uverbs_get_context)
    STRUCT(ib_uverbs_get_context_resp)
    STRUCT(ib_uverbs_query_device)
    STRUCT(ib_uverbs_query_device_resp)
    STRUCT(ib_uverbs_ex_query_device)
    STRUCT(ib_uverbs_odp_caps)
    STRUCT(ib_uverbs_rss_caps)
    STRUCT(ib_uverbs_tm_caps)
    STRUCT(ib_uverbs_cq_moderation_caps)
    STRUCT(ib_uverbs_ex_query_device_resp)
    STRUCT(ib_uverbs_query_port)
    STRUCT(ib_uverbs_query_port_resp)
    STRUCT(ib_uverbs_query_port_resp_ex)
    STRUCT(ib_uverbs_gid_entry)
    STRUCT(ib_uverbs_alloc_pd)
    STRUCT(ib_uverbs_alloc_pd_resp)
    STRUCT(ib_uverbs_dealloc_pd)
    STRUCT(ib_uverbs_reg_mr)
    STRUCT(ib_uverbs_reg_mr_resp)
    STRUCT(ib_uverbs_rereg_mr)
    STRUCT(ib_uverbs_rereg_mr_resp)
    STRUCT(ib_uverbs_dereg_mr)
    STRUCT(ib_uverbs_sge)
    STRUCT(ib_uverbs_alloc_mw)
    STRUCT(ib_uverbs_alloc_mw_resp)
    STRUCT(ib_uverbs_dealloc_mw)
    STRUCT(ib_uverbs_global_route)
    STRUCT(ib_uverbs_ah_attr)
    STRUCT(ib_uverbs_create_ah)
    STRUCT(ib_uverbs_create_ah_resp)
    STRUCT(ib_uverbs_destroy_ah)
    STRUCT(ib_uverbs_create_comp_channel)
    STRUCT(ib_uverbs_create_comp_channel_resp)
    STRUCT(ib_uverbs_create_cq)
    STRUCT(ib_uverbs_create_cq_resp)
    STRUCT(ib_uverbs_ex_create_cq)
    STRUCT(ib_uverbs_ex_create_cq_resp)
    STRUCT(ib_uverbs_resize_cq)
    STRUCT(ib_uverbs_resize_cq_resp)
    STRUCT(ib_uverbs_req_notify_cq)
    STRUCT(ib_uverbs_destroy_cq)
    STRUCT(ib_uverbs_destroy_cq_resp)
    STRUCT(ib_uverbs_create_srq)
    STRUCT(ib_uverbs_create_srq_resp)
    STRUCT(ib_uverbs_modify_srq)
    STRUCT(ib_uverbs_query_srq)
    STRUCT(ib_uverbs_query_srq_resp)
    STRUCT(ib_uverbs_destroy_srq)
    STRUCT(ib_uverbs_destroy_srq_resp)
    STRUCT(ib_uverbs_qp_cap)
    STRUCT(ib_uverbs_create_qp)
    STRUCT(ib_uverbs_create_qp_resp)
    STRUCT(ib_uverbs_qp_dest)
    STRUCT(ib_uverbs_modify_qp)
    STRUCT(ib_uverbs_ex_modify_qp)
    STRUCT(ib_uverbs_ex_modify_qp_resp)
    STRUCT(ib_uverbs_query_qp)
    STRUCT(ib_uverbs_query_qp_resp)
    STRUCT(ib_uverbs_destroy_qp)
    STRUCT(ib_uverbs_destroy_qp_resp)
    STRUCT(ib_uverbs_post_send)
    STRUCT(ib_uverbs_post_send_resp)
    STRUCT(ib_uverbs_attach_mcast)
    STRUCT(ib_uverbs_detach_mcast)
    STRUCT(ib_uverbs_async_event_desc)
    STRUCT(ib_uverbs_comp_event_desc)
    STRUCT(ib_uverbs_wc)
    STRUCT(mminfo)
    STRUCT(rxe_sge)
    STRUCT(rxe_dma_info)
    STRUCT(rxe_av)
    STRUCT(rxe_send_wr)
    STRUCT(rxe_send_wqe)
    STRUCT(rxe_recv_wqe)
    STRUCT(rxe_create_ah_resp)
    STRUCT(rxe_create_cq_resp)
    STRUCT(rxe_resize_cq_resp)
    STRUCT(rxe_create_qp_resp)
    STRUCT(rxe_create_srq_resp)
    STRUCT(rxe_modify_srq_cmd)
    STRUCT(rxe_queue_buf)
    STRUCT(siw_sge)
    STRUCT(siw_sqe)
    STRUCT(siw_rqe)
    STRUCT(siw_cqe)
    STRUCT(siw_cq_ctrl)
    STRUCT(siw_uresp_alloc_ctx)
    STRUCT(siw_ureq_reg_mr)
    STRUCT(siw_uresp_reg_mr)
    STRUCT(siw_uresp_create_cq)
    STRUCT(siw_uresp_create_qp)
    STRUCT(siw_uresp_create_srq)
    STRUCT(nlmsghdr)
    STRUCT(nlattr)
    STRUCT(nlmsgerr)
    STRUCT(pollfd)
    STRUCT(__kernel_timespec)
    STRUCT(sockaddr_ll)
    STRUCT(sock_filter)
    STRUCT(sock_fprog)
    STRUCT(tpacket_stats)
    STRUCT(sockaddr_in)
    STRUCT(sockaddr_in6)
    STRUCT(group_req)
    STRUCT(ib_uverbs_qp_attr)
    STRUCT(ib_user_path_rec)
    STRUCT(ib_path_rec_data)
    STRUCT(rdma_ucm_cmd_hdr)
    STRUCT(rdma_ucm_create_id)
    STRUCT(rdma_ucm_create_id_resp)
    STRUCT(rdma_ucm_destroy_id)
    STRUCT(rdma_ucm_destroy_id_resp)
    STRUCT(rdma_ucm_bind_ip)
    STRUCT(rdma_ucm_bind)
    STRUCT(rdma_ucm_resolve_ip)
    STRUCT(rdma_ucm_resolve_addr)
    STRUCT(rdma_ucm_resolve_route)
    STRUCT(rdma_ucm_query)
    STRUCT(rdma_ucm_query_route_resp)
    STRUCT(rdma_ucm_query_addr_resp)
    STRUCT(rdma_ucm_query_path_resp)
    STRUCT(rdma_ucm_conn_param)
    STRUCT(rdma_ucm_ud_param)
    STRUCT(rdma_ucm_ece)
    STRUCT(rdma_ucm_connect)
    STRUCT(rdma_ucm_listen)
    STRUCT(rdma_ucm_accept)
    STRUCT(rdma_ucm_reject)
    STRUCT(rdma_ucm_disconnect)
    STRUCT(rdma_ucm_init_qp_attr)
    STRUCT(rdma_ucm_notify)
    STRUCT(rdma_ucm_join_ip_mcast)
    STRUCT(rdma_ucm_join_mcast)
    STRUCT(rdma_ucm_get_event)
    STRUCT(rdma_ucm_event_resp)
    STRUCT(rdma_ucm_set_option)
    STRUCT(rdma_ucm_migrate_id)
    STRUCT(rdma_ucm_migrate_resp)
#ifdef HAVE_IB_SERVICE
    STRUCT(rdma_ucm_ib_service)
    STRUCT(rdma_ucm_resolve_ib_service)
    STRUCT(rdma_ucm_write_cm_event)
#endif

    /* rdma_user_cm.h */
    CONST(RDMA_USER_CM_CMD_CREATE_ID)
    CONST(RDMA_USER_CM_CMD_DESTROY_ID)
    CONST(RDMA_USER_CM_CMD_BIND_IP)
    CONST(RDMA_USER_CM_CMD_RESOLVE_IP)
    CONST(RDMA_USER_CM_CMD_RESOLVE_ROUTE)
    CONST(RDMA_USER_CM_CMD_QUERY_ROUTE)
    CONST(RDMA_USER_CM_CMD_CONNECT)
    CONST(RDMA_USER_CM_CMD_LISTEN)
    CONST(RDMA_USER_CM_CMD_ACCEPT)
    CONST(RDMA_USER_CM_CMD_REJECT)
    CONST(RDMA_USER_CM_CMD_DISCONNECT)
    CONST(RDMA_USER_CM_CMD_INIT_QP_ATTR)
    CONST(RDMA_USER_CM_CMD_GET_EVENT)
    CONST(RDMA_USER_CM_CMD_GET_OPTION)
    CONST(RDMA_USER_CM_CMD_SET_OPTION)
    CONST(RDMA_USER_CM_CMD_NOTIFY)
    CONST(RDMA_USER_CM_CMD_JOIN_IP_MCAST)
    CONST(RDMA_USER_CM_CMD_LEAVE_MCAST)
    CONST(RDMA_USER_CM_CMD_MIGRATE_ID)
    CONST(RDMA_USER_CM_CMD_QUERY)
    CONST(RDMA_USER_CM_CMD_BIND)
    CONST(RDMA_USER_CM_CMD_RESOLVE_ADDR)
    CONST(RDMA_USER_CM_CMD_JOIN_MCAST)
    OPTIONAL(RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE)
    OPTIONAL(RDMA_USER_CM_CMD_WRITE_CM_EVENT)
    CONST(RDMA_MAX_PRIVATE_DATA)
    CONST(RDMA_PS_IPOIB)
    CONST(RDMA_PS_IB)
    CONST(RDMA_PS_TCP)
    CONST(RDMA_PS_UDP)
    CONST(RDMA_USER_CM_QUERY_ADDR)
    CONST(RDMA_USER_CM_QUERY_PATH)
    CONST(RDMA_USER_CM_QUERY_GID)
    CONST(RDMA_MC_JOIN_FLAG_FULLMEMBER)
    CONST(RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER)
    CONST(RDMA_OPTION_ID)
    CONST(RDMA_OPTION_IB)
    CONST(RDMA_OPTION_ID_TOS)
    CONST(RDMA_OPTION_ID_REUSEADDR)
    CONST(RDMA_OPTION_ID_AFONLY)
    CONST(RDMA_OPTION_ID_ACK_TIMEOUT)
    CONST(RDMA_OPTION_IB_PATH)

    /* rdma_user_ioctl_cmds.h */
    CONST(RDMA_VERBS_IOCTL)
    CONST(UVERBS_ATTR_F_MANDATORY)
    CONST(UVERBS_ATTR_F_VALID_OUTPUT)

    /* ib_user_ioctl_cmds.h */
    CONST(UVERBS_OBJECT_DEVICE)
    CONST(UVERBS_OBJECT_PD)
    CONST(UVERBS_OBJECT_COMP_CHANNEL)
    CONST(UVERBS_OBJECT_CQ)
    CONST(UVERBS_OBJECT_QP)
    CONST(UVERBS_OBJECT_SRQ)
    CONST(UVERBS_OBJECT_AH)
    CONST(UVERBS_OBJECT_MR)
    CONST(UVERBS_OBJECT_MW)
    CONST(UVERBS_OBJECT_FLOW)
    CONST(UVERBS_OBJECT_XRCD)
    CONST(UVERBS_OBJECT_RWQ_IND_TBL)
    CONST(UVERBS_OBJECT_WQ)
    CONST(UVERBS_OBJECT_FLOW_ACTION)
    CONST(UVERBS_OBJECT_DM)
    CONST(UVERBS_OBJECT_COUNTERS)
    CONST(UVERBS_OBJECT_ASYNC_EVENT)
    CONST(UVERBS_METHOD_INVOKE_WRITE)
    CONST(UVERBS_METHOD_QUERY_PORT)
    CONST(UVERBS_METHOD_GET_CONTEXT)
    CONST(UVERBS_METHOD_QUERY_GID_TABLE)
    CONST(UVERBS_METHOD_QUERY_GID_ENTRY)
    CONST(UVERBS_METHOD_PD_DESTROY)
    CONST(UVERBS_METHOD_CQ_CREATE)
    CONST(UVERBS_METHOD_CQ_DESTROY)
    CONST(UVERBS_METHOD_QP_CREATE)
    CONST(UVERBS_METHOD_QP_DESTROY)
    CONST(UVERBS_METHOD_SRQ_CREATE)
    CONST(UVERBS_METHOD_SRQ_DESTROY)
    CONST(UVERBS_METHOD_AH_DESTROY)
    CONST(UVERBS_METHOD_MR_DESTROY)
    CONST(UVERBS_METHOD_ADVISE_MR)
    CONST(UVERBS_METHOD_QUERY_MR)
    CONST(UVERBS_METHOD_MW_DESTROY)
    CONST(UVERBS_METHOD_ASYNC_EVENT_ALLOC)
    CONST(UVERBS_ATTR_UHW_IN)
    CONST(UVERBS_ATTR_UHW_OUT)
    CONST(UVERBS_ATTR_CORE_IN)
    CONST(UVERBS_ATTR_CORE_OUT)
    CONST(UVERBS_ATTR_WRITE_CMD)
    CONST(UVERBS_ATTR_QUERY_PORT_PORT_NUM)
    CONST(UVERBS_ATTR_QUERY_PORT_RESP)
    CONST(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS)
    CONST(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT)
    CONST(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE)
    CONST(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS)
    CONST(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES)
    CONST(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES)
    CONST(UVERBS_ATTR_QUERY_GID_ENTRY_PORT)
    CONST(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX)
    CONST(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS)
    CONST(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY)
    CONST(UVERBS_ATTR_DESTROY_PD_HANDLE)
    CONST(UVERBS_ATTR_CREATE_CQ_HANDLE)
    CONST(UVERBS_ATTR_CREATE_CQ_CQE)
    CONST(UVERBS_ATTR_CREATE_CQ_USER_HANDLE)
    CONST(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL)
    CONST(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR)
    CONST(UVERBS_ATTR_CREATE_CQ_FLAGS)
    CONST(UVERBS_ATTR_CREATE_CQ_RESP_CQE)
    CONST(UVERBS_ATTR_CREATE_CQ_EVENT_FD)
    CONST(UVERBS_ATTR_DESTROY_CQ_HANDLE)
    CONST(UVERBS_ATTR_DESTROY_CQ_RESP)
    CONST(UVERBS_ATTR_CREATE_QP_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_PD_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_USER_HANDLE)
    CONST(UVERBS_ATTR_CREATE_QP_CAP)
    CONST(UVERBS_ATTR_CREATE_QP_TYPE)
    CONST(UVERBS_ATTR_CREATE_QP_FLAGS)
    CONST(UVERBS_ATTR_CREATE_QP_SOURCE_QPN)
    CONST(UVERBS_ATTR_CREATE_QP_EVENT_FD)
    CONST(UVERBS_ATTR_CREATE_QP_RESP_CAP)
    CONST(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM)
    CONST(UVERBS_ATTR_DESTROY_QP_HANDLE)
    CONST(UVERBS_ATTR_DESTROY_QP_RESP)
    CONST(UVERBS_ATTR_CREATE_SRQ_HANDLE)
    CONST(UVERBS_ATTR_CREATE_SRQ_PD_HANDLE)
    CONST(UVERBS_ATTR_CREATE_SRQ_USER_HANDLE)
    CONST(UVERBS_ATTR_CREATE_SRQ_MAX_WR)
    CONST(UVERBS_ATTR_CREATE_SRQ_MAX_SGE)
    CONST(UVERBS_ATTR_CREATE_SRQ_LIMIT)
    CONST(UVERBS_ATTR_CREATE_SRQ_TYPE)
    CONST(UVERBS_ATTR_CREATE_SRQ_EVENT_FD)
    CONST(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR)
    CONST(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE)
    CONST(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM)
    CONST(UVERBS_ATTR_DESTROY_SRQ_HANDLE)
    CONST(UVERBS_ATTR_DESTROY_SRQ_RESP)
    CONST(UVERBS_ATTR_DESTROY_AH_HANDLE)
    CONST(UVERBS_ATTR_DESTROY_MR_HANDLE)
    CONST(UVERBS_ATTR_ADVISE_MR_PD_HANDLE)
    CONST(UVERBS_ATTR_ADVISE_MR_ADVICE)
    CONST(UVERBS_ATTR_ADVISE_MR_FLAGS)
    CONST(UVERBS_ATTR_ADVISE_MR_SGE_LIST)
    CONST(UVERBS_ATTR_QUERY_MR_HANDLE)
    CONST(UVERBS_ATTR_QUERY_MR_RESP_LKEY)
    CONST(UVERBS_ATTR_QUERY_MR_RESP_RKEY)
    CONST(UVERBS_ATTR_QUERY_MR_RESP_LENGTH)
    CONST(UVERBS_ATTR_QUERY_MR_RESP_IOVA)
    CONST(UVERBS_ATTR_DESTROY_MW_HANDLE)
    CONST(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE)

    /* ib_user_verbs.h */
    CONST(IB_USER_VERBS_ABI_VERSION)
    CONST(IB_USER_VERBS_CMD_FLAG_EXTENDED)
    CONST(IB_USER_VERBS_CMD_GET_CONTEXT)
    CONST(IB_USER_VERBS_CMD_QUERY_DEVICE)
    CONST(IB_USER_VERBS_CMD_QUERY_PORT)
    CONST(IB_USER_VERBS_CMD_ALLOC_PD)
    CONST(IB_USER_VERBS_CMD_DEALLOC_PD)
    CONST(IB_USER_VERBS_CMD_CREATE_AH)
    CONST(IB_USER_VERBS_CMD_DESTROY_AH)
    CONST(IB_USER_VERBS_CMD_REG_MR)
    CONST(IB_USER_VERBS_CMD_REREG_MR)
    CONST(IB_USER_VERBS_CMD_DEREG_MR)
    CONST(IB_USER_VERBS_CMD_ALLOC_MW)
    CONST(IB_USER_VERBS_CMD_DEALLOC_MW)
    CONST(IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL)
    CONST(IB_USER_VERBS_CMD_CREATE_CQ)
    CONST(IB_USER_VERBS_CMD_RESIZE_CQ)
    CONST(IB_USER_VERBS_CMD_DESTROY_CQ)
    CONST(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ)
    CONST(IB_USER_VERBS_CMD_CREATE_QP)
    CONST(IB_USER_VERBS_CMD_QUERY_QP)
    CONST(IB_USER_VERBS_CMD_MODIFY_QP)
    CONST(IB_USER_VERBS_CMD_DESTROY_QP)
    CONST(IB_USER_VERBS_CMD_POST_SEND)
    CONST(IB_USER_VERBS_CMD_ATTACH_MCAST)
    CONST(IB_USER_VERBS_CMD_DETACH_MCAST)
    CONST(IB_USER_VERBS_CMD_CREATE_SRQ)
    CONST(IB_USER_VERBS_CMD_MODIFY_SRQ)
    CONST(IB_USER_VERBS_CMD_QUERY_SRQ)
    CONST(IB_USER_VERBS_CMD_DESTROY_SRQ)
    CONST(IB_USER_VERBS_EX_CMD_QUERY_DEVICE)
    CONST(IB_USER_VERBS_EX_CMD_CREATE_CQ)
    CONST(IB_USER_VERBS_EX_CMD_MODIFY_QP)
    CONST(IB_UVERBS_WR_RDMA_WRITE)
    CONST(IB_UVERBS_WR_RDMA_WRITE_WITH_IMM)
    CONST(IB_UVERBS_WR_SEND)
    CONST(IB_UVERBS_WR_SEND_WITH_IMM)
    CONST(IB_UVERBS_WR_RDMA_READ)
    CONST(IB_UVERBS_WR_ATOMIC_CMP_AND_SWP)
    CONST(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD)
    CONST(IB_UVERBS_WR_LOCAL_INV)
    CONST(IB_UVERBS_WR_BIND_MW)
    CONST(IB_UVERBS_WR_SEND_WITH_INV)
    OPTIONAL(IB_UVERBS_WR_FLUSH)
    OPTIONAL(IB_UVERBS_WR_ATOMIC_WRITE)
    CONST(IB_UVERBS_WC_SEND)
    CONST(IB_UVERBS_WC_RDMA_WRITE)
    CONST(IB_UVERBS_WC_RDMA_READ)
    CONST(IB_UVERBS_WC_COMP_SWAP)
    CONST(IB_UVERBS_WC_FETCH_ADD)
    CONST(IB_UVERBS_WC_BIND_MW)
    CONST(IB_UVERBS_WC_LOCAL_INV)
    OPTIONAL(IB_UVERBS_WC_FLUSH)
    OPTIONAL(IB_UVERBS_WC_ATOMIC_WRITE)
    CONST(IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B)
    OPTIONAL(IB_UVERBS_DEVICE_FLUSH_GLOBAL)
    OPTIONAL(IB_UVERBS_DEVICE_FLUSH_PERSISTENT)
    OPTIONAL(IB_UVERBS_DEVICE_ATOMIC_WRITE)

    /* ib_user_ioctl_verbs.h */
    CONST(IB_UVERBS_ACCESS_LOCAL_WRITE)
    CONST(IB_UVERBS_ACCESS_REMOTE_WRITE)
    CONST(IB_UVERBS_ACCESS_REMOTE_READ)
    CONST(IB_UVERBS_ACCESS_REMOTE_ATOMIC)
    CONST(IB_UVERBS_ACCESS_MW_BIND)
    CONST(IB_UVERBS_ACCESS_ZERO_BASED)
    CONST(IB_UVERBS_ACCESS_ON_DEMAND)
    CONST(IB_UVERBS_ACCESS_HUGETLB)
    CONST(IB_UVERBS_ACCESS_RELAXED_ORDERING)
    OPTIONAL(IB_UVERBS_ACCESS_FLUSH_GLOBAL)
    OPTIONAL(IB_UVERBS_ACCESS_FLUSH_PERSISTENT)
    CONST(IB_UVERBS_QPT_RC)
    CONST(IB_UVERBS_QPT_UC)
    CONST(IB_UVERBS_QPT_UD)
    CONST(IB_UVERBS_QPT_RAW_PACKET)
    CONST(IB_UVERBS_QPT_XRC_INI)
    CONST(IB_UVERBS_QPT_XRC_TGT)
    CONST(IB_UVERBS_QP_CREATE_SQ_SIG_ALL)
    CONST(IB_UVERBS_SRQT_BASIC)
    CONST(IB_UVERBS_GID_TYPE_IB)
    CONST(IB_UVERBS_GID_TYPE_ROCE_V1)
    CONST(IB_UVERBS_GID_TYPE_ROCE_V2)
    CONST(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH)
    CONST(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE)
    CONST(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT)
    CONST(IB_UVERBS_ADVISE_MR_FLAG_FLUSH)
    CONST(IB_UVERBS_QPF_GRH_REQUIRED)
    CONST(RDMA_DRIVER_UNKNOWN)
    CONST(RDMA_DRIVER_MLX5)
    CONST(RDMA_DRIVER_MLX4)
    CONST(RDMA_DRIVER_CXGB3)
    CONST(RDMA_DRIVER_CXGB4)
    CONST(RDMA_DRIVER_MTHCA)
    CONST(RDMA_DRIVER_BNXT_RE)
    CONST(RDMA_DRIVER_OCRDMA)
    CONST(RDMA_DRIVER_NES)
    CONST(RDMA_DRIVER_IRDMA)
    CONST(RDMA_DRIVER_VMW_PVRDMA)
    CONST(RDMA_DRIVER_QEDR)
    CONST(RDMA_DRIVER_HNS)
    CONST(RDMA_DRIVER_USNIC)
    CONST(RDMA_DRIVER_RXE)
    CONST(RDMA_DRIVER_HFI1)
    CONST(RDMA_DRIVER_QIB)
    CONST(RDMA_DRIVER_EFA)
    CONST(RDMA_DRIVER_SIW)
    CONST(RDMA_DRIVER_ERDMA)
    OPTIONAL(RDMA_DRIVER_MANA)
    OPTIONAL(RDMA_DRIVER_IONIC)

    /* rdma_user_rxe.h */
    CONST(RXE_NETWORK_TYPE_IPV4)
    CONST(RXE_NETWORK_TYPE_IPV6)

    /* rdma_netlink.h, netlink.h */
    CONST(RDMA_NL_NLDEV)
    CONST(RDMA_NLDEV_CMD_GET)
    CONST(RDMA_NLDEV_CMD_NEWLINK)
    CONST(RDMA_NLDEV_CMD_DELLINK)
    CONST(RDMA_NLDEV_CMD_PORT_GET)
    CONST(RDMA_NLDEV_CMD_SYS_GET)
    CONST(RDMA_NLDEV_CMD_RES_QP_GET)
    CONST(RDMA_NLDEV_CMD_RES_CM_ID_GET)
    CONST(RDMA_NLDEV_CMD_RES_CQ_GET)
    CONST(RDMA_NLDEV_CMD_RES_MR_GET)
    CONST(RDMA_NLDEV_CMD_RES_PD_GET)
    CONST(RDMA_NLDEV_CMD_GET_CHARDEV)
    CONST(RDMA_NLDEV_CMD_RES_CTX_GET)
    CONST(RDMA_NLDEV_CMD_RES_SRQ_GET)
    CONST(RDMA_NLDEV_ATTR_DEV_INDEX)
    CONST(RDMA_NLDEV_ATTR_DEV_NAME)
    CONST(RDMA_NLDEV_ATTR_PORT_INDEX)
    CONST(RDMA_NLDEV_ATTR_PORT_STATE)
    CONST(RDMA_NLDEV_ATTR_PORT_PHYS_STATE)
    CONST(RDMA_NLDEV_ATTR_RES_QP)
    CONST(RDMA_NLDEV_ATTR_RES_QP_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_LQPN)
    CONST(RDMA_NLDEV_ATTR_RES_RQPN)
    CONST(RDMA_NLDEV_ATTR_RES_RQ_PSN)
    CONST(RDMA_NLDEV_ATTR_RES_SQ_PSN)
    CONST(RDMA_NLDEV_ATTR_RES_TYPE)
    CONST(RDMA_NLDEV_ATTR_RES_STATE)
    CONST(RDMA_NLDEV_ATTR_RES_PID)
    CONST(RDMA_NLDEV_ATTR_RES_KERN_NAME)
    CONST(RDMA_NLDEV_ATTR_RES_CM_ID)
    CONST(RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_PS)
    CONST(RDMA_NLDEV_ATTR_RES_SRC_ADDR)
    CONST(RDMA_NLDEV_ATTR_RES_DST_ADDR)
    CONST(RDMA_NLDEV_ATTR_RES_CQ)
    CONST(RDMA_NLDEV_ATTR_RES_CQ_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_CQE)
    CONST(RDMA_NLDEV_ATTR_RES_USECNT)
    CONST(RDMA_NLDEV_ATTR_RES_MR)
    CONST(RDMA_NLDEV_ATTR_RES_MR_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_RKEY)
    CONST(RDMA_NLDEV_ATTR_RES_LKEY)
    CONST(RDMA_NLDEV_ATTR_RES_MRLEN)
    CONST(RDMA_NLDEV_ATTR_RES_PD)
    CONST(RDMA_NLDEV_ATTR_RES_PD_ENTRY)
    CONST(RDMA_NLDEV_ATTR_NDEV_NAME)
    CONST(RDMA_NLDEV_ATTR_RES_PDN)
    CONST(RDMA_NLDEV_ATTR_RES_CQN)
    CONST(RDMA_NLDEV_ATTR_RES_MRN)
    CONST(RDMA_NLDEV_ATTR_RES_CM_IDN)
    CONST(RDMA_NLDEV_ATTR_RES_CTXN)
    CONST(RDMA_NLDEV_ATTR_LINK_TYPE)
    CONST(RDMA_NLDEV_SYS_ATTR_NETNS_MODE)
    CONST(RDMA_NLDEV_ATTR_DEV_PROTOCOL)
    CONST(RDMA_NLDEV_ATTR_CHARDEV_TYPE)
    CONST(RDMA_NLDEV_ATTR_CHARDEV_NAME)
    CONST(RDMA_NLDEV_ATTR_CHARDEV_ABI)
    CONST(RDMA_NLDEV_ATTR_CHARDEV)
    CONST(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID)
    CONST(RDMA_NLDEV_ATTR_RES_CTX)
    CONST(RDMA_NLDEV_ATTR_RES_CTX_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_SRQ)
    CONST(RDMA_NLDEV_ATTR_RES_SRQ_ENTRY)
    CONST(RDMA_NLDEV_ATTR_RES_SRQN)
    CONST(RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK)
    CONST(NLMSG_ERROR)
    CONST(NLMSG_DONE)
    CONST(NLM_F_REQUEST)
    CONST(NLM_F_ACK)
    CONST(NLM_F_DUMP)
    CONST(NLA_TYPE_MASK)

    /* the arguments of system calls */
    CONST(O_RDWR)
    CONST(O_NONBLOCK)
    CONST(O_CLOEXEC)
    CONST(PROT_READ)
    CONST(PROT_WRITE)
    CONST(MAP_SHARED)
    CONST(MAP_PRIVATE)
    CONST(MAP_FIXED)
    CONST(MAP_ANONYMOUS)
    CONST(MAP_NORESERVE)
    CONST(POLLIN)
    CONST(POLLERR)
    CONST(POLLHUP)
    CONST(POLLNVAL)
    CONST(EFD_CLOEXEC)
    CONST(EFD_NONBLOCK)
    CONST(EPOLL_CLOEXEC)
    CONST(EPOLL_CTL_ADD)
    CONST(EPOLL_CTL_DEL)
    CONST(EPOLL_CTL_MOD)
    CONST(EPOLLIN)
    CONST(AF_NETLINK)
    CONST(AF_INET)
    CONST(AF_INET6)
    CONST(SOCK_RAW)
    CONST(SOCK_CLOEXEC)
    CONST(NETLINK_RDMA)
    CONST(FIONBIO)
    CONST(AF_PACKET)
    CONST(ETH_P_ALL)
    CONST(SOL_SOCKET)
    CONST(SO_ATTACH_FILTER)
    CONST(SO_RCVBUF)
    CONST(SO_RCVBUFFORCE)
    CONST(SOCK_DGRAM)
    CONST(IPPROTO_IP)
    CONST(IPPROTO_IPV6)
    CONST(MCAST_JOIN_GROUP)
    CONST(SOL_PACKET)
    CONST(PACKET_STATISTICS)

    /* errno.h */
    CONST(EPERM)
    CONST(ENOENT)
    CONST(EINTR)
    CONST(EIO)
    CONST(ENXIO)
    CONST(EBADF)
    CONST(EAGAIN)
    CONST(ENOMEM)
    CONST(EACCES)
    CONST(EFAULT)
    CONST(EBUSY)
    CONST(EEXIST)
    CONST(ENODEV)
    CONST(ENOTDIR)
    CONST(EISDIR)
    CONST(EINVAL)
    CONST(ENFILE)
    CONST(EMFILE)
    CONST(ENOBUFS)
    CONST(EISCONN)
    CONST(ENOTTY)
    CONST(ENOSPC)
    CONST(EROFS)
    CONST(ENOSYS)
    CONST(ENODATA)
    CONST(EPROTO)
    CONST(EOVERFLOW)
    CONST(EMSGSIZE)
    CONST(EPROTONOSUPPORT)
    CONST(EOPNOTSUPP)
    CONST(EAFNOSUPPORT)
    CONST(EADDRINUSE)
    CONST(EADDRNOTAVAIL)
    CONST(ECONNRESET)
    CONST(ENETDOWN)
    CONST(ENETUNREACH)
    CONST(ETIMEDOUT)
    CONST(ECONNREFUSED)
    CONST(EHOSTUNREACH)

    return failures != 0;
}

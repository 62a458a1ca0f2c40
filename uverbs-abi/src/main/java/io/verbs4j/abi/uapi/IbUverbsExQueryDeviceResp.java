// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.types.DeviceAttributes;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_ex_query_device_resp` (include/uapi/rdma/ib_user_verbs.h): response to `struct
/// ib_uverbs_ex_query_device`. Written by the kernel, which stops at `response_length`: the rest is unchanged.
public final class IbUverbsExQueryDeviceResp {
    /// `struct ib_uverbs_cq_moderation_caps`.
    public static final CStruct CQ_MODERATION_CAPS = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_cq_moderation_caps",
            u16("max_cq_moderation_count", "completions before an event"),
            u16("max_cq_moderation_period", "µs before an event"),
            u32("reserved"));
    /// `struct ib_uverbs_odp_caps`.
    public static final CStruct ODP_CAPS = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_odp_caps",
            u64("general_caps", "bit 0: on-demand paging at all; bit 1: implicit regions"),
            CStruct.struct("per_transport_caps", u32("rc_odp_caps"), u32("uc_odp_caps"), u32("ud_odp_caps"))
                    .means("operations that may fault, for each transport (IB_UVERBS_ODP_SUPPORT_*)"),
            u32("reserved"));
    /// `struct ib_uverbs_rss_caps`.
    public static final CStruct RSS_CAPS = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_rss_caps",
            u32("supported_qpts", "one bit per queue pair type"),
            u32("max_rwq_indirection_tables"),
            u32("max_rwq_indirection_table_size"),
            u32("reserved"));
    /// `struct ib_uverbs_tm_caps`.
    public static final CStruct TM_CAPS = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_tm_caps",
            u32("max_rndv_hdr_size", "bytes of a rendezvous header"),
            u32("max_num_tags"),
            u32("flags"),
            u32("max_ops", "outstanding list operations"),
            u32("max_sge", "buffers of a work request"),
            u32("reserved"));

    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_query_device_resp",
            struct("base", IbUverbsQueryDeviceResp.STRUCT),
            u32("comp_mask"),
            u32("response_length", "bytes of this struct that the kernel supports"),
            struct("odp_caps", ODP_CAPS),
            u64("timestamp_mask", "valid bits of a completion timestamp"),
            u64("hca_core_clock", "kHz"),
            u64("device_cap_flags_ex", "all 64 bits of IB_UVERBS_DEVICE_*"),
            struct("rss_caps", RSS_CAPS),
            u32("max_wq_type_rq", "receive work queues"),
            u32("raw_packet_caps", "IB_UVERBS_RAW_PACKET_CAP_*"),
            struct("tm_caps", TM_CAPS),
            struct("cq_moderation_caps", CQ_MODERATION_CAPS),
            u64("max_dm_size", "bytes of device memory"),
            u32("xrc_odp_caps"),
            u32("reserved"));

    private IbUverbsExQueryDeviceResp() {}

    /// Returns the attributes. Bytes beyond the kernel's `response_length` must already be zero.
    public static DeviceAttributes read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        var extended = new DeviceAttributes.Extended(
                view.get("odp_caps.general_caps"),
                view.getInt("odp_caps.per_transport_caps.rc_odp_caps"),
                view.getInt("odp_caps.per_transport_caps.uc_odp_caps"),
                view.getInt("odp_caps.per_transport_caps.ud_odp_caps"),
                view.getInt("xrc_odp_caps"),
                view.get("timestamp_mask"),
                view.get("hca_core_clock"),
                view.getInt("max_wq_type_rq"),
                view.getInt("raw_packet_caps"),
                view.getInt("tm_caps.max_rndv_hdr_size"),
                view.getInt("cq_moderation_caps.max_cq_moderation_count"),
                view.getInt("cq_moderation_caps.max_cq_moderation_period"),
                view.get("max_dm_size"));
        boolean longEnough = view.get("response_length")
                >= STRUCT.offset("device_cap_flags_ex") + Long.BYTES;
        long flags = longEnough ? view.get("device_cap_flags_ex") : view.get("base.device_cap_flags");
        return IbUverbsQueryDeviceResp.read(view.slice("base"), flags, extended);
    }
}

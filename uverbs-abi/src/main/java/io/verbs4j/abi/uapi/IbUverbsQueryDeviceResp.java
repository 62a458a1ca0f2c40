// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.DeviceAttributes;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_query_device_resp` (include/uapi/rdma/ib_user_verbs.h): response to `struct
/// ib_uverbs_query_device`, and the first part of [IbUverbsExQueryDeviceResp]. Written by the kernel.
public final class IbUverbsQueryDeviceResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_device_resp",
            u64("fw_ver", "0 on rxe"),
            be64("node_guid", "GUID of the device"),
            be64("sys_image_guid", "GUID of the system that contains it"),
            u64("max_mr_size", "bytes"),
            u64("page_size_cap", "one bit per page size"),
            u32("vendor_id", "IEEE number"),
            u32("vendor_part_id", "part number"),
            u32("hw_ver", "revision"),
            u32("max_qp", "queue pairs"),
            u32("max_qp_wr", "work requests of one queue"),
            u32("device_cap_flags", "low half of IB_UVERBS_DEVICE_*"),
            u32("max_sge", "buffers of a work request"),
            u32("max_sge_rd", "buffers of an RDMA read"),
            u32("max_cq", "completion queues"),
            u32("max_cqe", "entries of one queue"),
            u32("max_mr", "memory regions"),
            u32("max_pd", "protection domains"),
            u32("max_qp_rd_atom", "incoming reads and atomics of one queue pair"),
            u32("max_ee_rd_atom", "the same of an end-to-end context"),
            u32("max_res_rd_atom", "the same of all queue pairs"),
            u32("max_qp_init_rd_atom", "outgoing reads and atomics of one queue pair"),
            u32("max_ee_init_rd_atom", "the same of an end-to-end context"),
            u32("atomic_cap", "0 none, 1 within the device, 2 also with the processor"),
            u32("max_ee", "end-to-end contexts"),
            u32("max_rdd", "reliable datagram domains"),
            u32("max_mw", "memory windows"),
            u32("max_raw_ipv6_qp", "raw IPv6 queue pairs"),
            u32("max_raw_ethy_qp", "raw Ethernet queue pairs"),
            u32("max_mcast_grp", "multicast groups"),
            u32("max_mcast_qp_attach", "queue pairs of one group"),
            u32("max_total_mcast_qp_attach", "memberships of all groups"),
            u32("max_ah", "address handles"),
            u32("max_fmr", "fast memory regions"),
            u32("max_map_per_fmr", "maps of one fast memory region"),
            u32("max_srq", "shared receive queues"),
            u32("max_srq_wr"),
            u32("max_srq_sge"),
            u16("max_pkeys", "P_Keys"),
            u8("local_ca_ack_delay", "4.096 µs × 2^n"),
            u8("phys_port_cnt", "ports"),
            bytes("reserved", 4));

    private IbUverbsQueryDeviceResp() {}

    /// Reads the attributes.
    ///
    /// @param capabilityFlags the low half in this struct, or all 64 bits of the extended one
    /// @param extended result of the extended query; zeros without it
    static DeviceAttributes read(MemorySegment memory, long capabilityFlags, DeviceAttributes.Extended extended) {
        CView view = STRUCT.view(memory);
        return new DeviceAttributes(
                view.get("fw_ver"),
                view.get("node_guid"),
                view.get("sys_image_guid"),
                view.get("max_mr_size"),
                view.get("page_size_cap"),
                view.getInt("vendor_id"),
                view.getInt("vendor_part_id"),
                view.getInt("hw_ver"),
                view.getInt("max_qp"),
                view.getInt("max_qp_wr"),
                capabilityFlags,
                view.getInt("max_sge"),
                view.getInt("max_sge_rd"),
                view.getInt("max_cq"),
                view.getInt("max_cqe"),
                view.getInt("max_mr"),
                view.getInt("max_pd"),
                view.getInt("max_qp_rd_atom"),
                view.getInt("max_ee_rd_atom"),
                view.getInt("max_res_rd_atom"),
                view.getInt("max_qp_init_rd_atom"),
                view.getInt("max_ee_init_rd_atom"),
                view.getInt("atomic_cap"),
                view.getInt("max_ee"),
                view.getInt("max_rdd"),
                view.getInt("max_mw"),
                view.getInt("max_raw_ipv6_qp"),
                view.getInt("max_raw_ethy_qp"),
                view.getInt("max_mcast_grp"),
                view.getInt("max_mcast_qp_attach"),
                view.getInt("max_total_mcast_qp_attach"),
                view.getInt("max_ah"),
                view.getInt("max_fmr"),
                view.getInt("max_map_per_fmr"),
                view.getInt("max_srq"),
                view.getInt("max_srq_wr"),
                view.getInt("max_srq_sge"),
                view.getInt("max_pkeys"),
                view.getInt("local_ca_ack_delay"),
                view.getInt("phys_port_cnt"),
                extended);
    }

    /// Reads the attributes of a kernel or driver without the extended query.
    public static DeviceAttributes read(MemorySegment memory) {
        long flags = STRUCT.view(memory).get("device_cap_flags");
        return read(memory, flags, new DeviceAttributes.Extended(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import java.util.List;

/// The commands of the connection manager that verbs4j never sends, for decoding: older forms of other commands, and
/// one for InfiniBand fabrics only. `GET_OPTION` (13) is omitted: no kernel has it.
public final class UnsentCommands {
    /// `struct rdma_ucm_ib_service`.
    public static final CStruct IB_SERVICE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_ib_service",
            u64("service_id"),
            bytes("service_name", 64),
            u32("flags", "1: by id, 2: by name"),
            u32("reserved"));
    /// `struct ib_user_path_rec`.
    public static final CStruct PATH_RECORD = CStruct.of(
            UapiHeader.IB_USER_SA,
            "ib_user_path_rec",
            bytes("dgid", 16),
            bytes("sgid", 16),
            be16("dlid", "in network order"),
            be16("slid", "in network order"),
            u32("raw_traffic"),
            be32("flow_label", "in network order"),
            u32("reversible"),
            u32("mtu", "1 to 5"),
            be16("pkey", "in network order"),
            u8("hop_limit"),
            u8("traffic_class"),
            u8("numb_path"),
            u8("sl", "service level"),
            u8("mtu_selector"),
            u8("rate_selector"),
            u8("rate"),
            u8("packet_life_time_selector"),
            u8("packet_life_time", "4.096 µs × 2^n"),
            u8("preference"));

    private static final CStruct BIND_IP_REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_bind_ip",
            u64("response", "address of the response"),
            bytes("addr", 28, "a sockaddr_in or sockaddr_in6"),
            u32("id"));
    private static final CStruct JOIN_IP_MCAST_REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_join_ip_mcast",
            u64("response", "address of the response"),
            u64("uid"),
            bytes("addr", 28),
            u32("id"));
    private static final CStruct QUERY_ROUTE_RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_route_resp",
            be64("node_guid", "of the device; 0 for none"),
            array("ib_route", 2, PATH_RECORD.layout()),
            bytes("src_addr", 28),
            bytes("dst_addr", 28),
            u32("num_paths"),
            u8("port_num"),
            bytes("reserved", 3),
            u32("ibdev_index", "of the device"),
            u32("reserved1"));
    private static final CStruct RESOLVE_IB_SERVICE_REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_ib_service",
            u32("id"),
            u32("reserved"),
            struct("ibs", IB_SERVICE));
    private static final CStruct RESOLVE_IP_REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_ip",
            bytes("src_addr", 28),
            bytes("dst_addr", 28),
            u32("id"),
            u32("timeout_ms"));

    /// Binds an identifier to a local address; the older form of [BindAddress].
    public static final RdmaUcmCmd BIND_IP = RdmaUcmCmd.of(2, "BIND_IP", BIND_IP_REQUEST);
    /// Resolves a peer's address; the older form of [ResolveAddress].
    public static final RdmaUcmCmd RESOLVE_IP = RdmaUcmCmd.of(3, "RESOLVE_IP", RESOLVE_IP_REQUEST);
    /// Queries addresses and paths; the older form of [QueryAddresses].
    public static final RdmaUcmCmd QUERY_ROUTE =
            RdmaUcmCmd.of(5, "QUERY_ROUTE", QueryAddresses.REQUEST, QUERY_ROUTE_RESPONSE);
    /// Joins a multicast group; the older form of [JoinMulticast].
    public static final RdmaUcmCmd JOIN_IP_MCAST =
            RdmaUcmCmd.of(16, "JOIN_IP_MCAST", JOIN_IP_MCAST_REQUEST, CreateIdentifier.RESPONSE);
    /// Resolves a service of an InfiniBand fabric; newer kernels only.
    public static final RdmaUcmCmd RESOLVE_IB_SERVICE =
            RdmaUcmCmd.of(23, "RESOLVE_IB_SERVICE", RESOLVE_IB_SERVICE_REQUEST);
    /// All of these commands.
    public static final List<RdmaUcmCmd> ALL =
            List.of(BIND_IP, RESOLVE_IP, QUERY_ROUTE, JOIN_IP_MCAST, RESOLVE_IB_SERVICE);

    private UnsentCommands() {}
}

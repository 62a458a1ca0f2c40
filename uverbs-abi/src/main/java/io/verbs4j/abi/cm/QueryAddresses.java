// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Queries the addresses of an identifier, and its RDMA device.
public final class QueryAddresses {
    static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query",
            u64("response", "address of the response"),
            u32("id"),
            u32("option", "RDMA_USER_CM_QUERY_*: 0 addresses, 1 paths, 2 GIDs"));
    /// `struct rdma_ucm_query_addr_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_addr_resp",
            be64("node_guid", "of the device; 0 for none"),
            u8("port_num", "of the device"),
            u8("reserved"),
            be16("pkey", "in network order"),
            u16("src_size", "valid bytes of src_addr"),
            u16("dst_size"),
            bytes("src_addr", 128, "a sockaddr"),
            bytes("dst_addr", 128, "a sockaddr"),
            u32("ibdev_index", "of the device"),
            u32("reserved1"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(19, "QUERY", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query CM addresses")
            .connectionManager(COMMAND, "3.12")
            .causes(Map.of(Errno.ENODEV, "the RDMA device was removed"));

    /// `RDMA_USER_CM_QUERY_ADDR`: the option for addresses.
    public static final int ADDRESSES = 0;

    private QueryAddresses() {}

    /// Queries the IP addresses.
    public static ConnectionAddresses execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            CView answer = CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("option", ADDRESSES)
                    .send(file)
                    .answer();
            return new ConnectionAddresses(
                    SocketAddresses.read(answer.slice("src_addr")),
                    SocketAddresses.read(answer.slice("dst_addr")),
                    answer.get("node_guid"),
                    answer.getInt("port_num"),
                    answer.getInt("pkey"),
                    answer.getInt("ibdev_index"));
        }
    }
}

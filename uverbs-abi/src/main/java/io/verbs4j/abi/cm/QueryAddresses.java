// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmQuery;
import io.verbs4j.abi.uapi.RdmaUcmQueryAddrResp;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Queries the addresses of an identifier, and its RDMA device.
public final class QueryAddresses {
    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(19, "QUERY", RdmaUcmQuery.STRUCT, RdmaUcmQueryAddrResp.STRUCT);
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

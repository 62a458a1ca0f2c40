// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.uapi.RdmaUcmBindIp;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCreateIdResp;
import io.verbs4j.abi.uapi.RdmaUcmJoinIpMcast;
import io.verbs4j.abi.uapi.RdmaUcmQuery;
import io.verbs4j.abi.uapi.RdmaUcmQueryRouteResp;
import io.verbs4j.abi.uapi.RdmaUcmResolveIbService;
import io.verbs4j.abi.uapi.RdmaUcmResolveIp;
import java.util.List;

/// The commands of the connection manager that verbs4j never sends, for decoding: older forms of other commands, and
/// one for InfiniBand fabrics only. `GET_OPTION` (13) is omitted: no kernel has it.
public final class UnsentCommands {
    /// Binds an identifier to a local address; the older form of [BindAddress].
    public static final RdmaUcmCmd BIND_IP = RdmaUcmCmd.of(2, "BIND_IP", RdmaUcmBindIp.STRUCT);
    /// Resolves a peer's address; the older form of [ResolveAddress].
    public static final RdmaUcmCmd RESOLVE_IP = RdmaUcmCmd.of(3, "RESOLVE_IP", RdmaUcmResolveIp.STRUCT);
    /// Queries addresses and paths; the older form of [QueryAddresses].
    public static final RdmaUcmCmd QUERY_ROUTE =
            RdmaUcmCmd.of(5, "QUERY_ROUTE", RdmaUcmQuery.STRUCT, RdmaUcmQueryRouteResp.STRUCT);
    /// Joins a multicast group; the older form of [JoinMulticast].
    public static final RdmaUcmCmd JOIN_IP_MCAST =
            RdmaUcmCmd.of(16, "JOIN_IP_MCAST", RdmaUcmJoinIpMcast.STRUCT, RdmaUcmCreateIdResp.STRUCT);
    /// Resolves a service of an InfiniBand fabric; newer kernels only.
    public static final RdmaUcmCmd RESOLVE_IB_SERVICE =
            RdmaUcmCmd.of(23, "RESOLVE_IB_SERVICE", RdmaUcmResolveIbService.STRUCT);
    /// All of these commands.
    public static final List<RdmaUcmCmd> ALL =
            List.of(BIND_IP, RESOLVE_IP, QUERY_ROUTE, JOIN_IP_MCAST, RESOLVE_IB_SERVICE);

    private UnsentCommands() {}
}

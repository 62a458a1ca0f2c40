// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Arrays;
import java.util.Optional;

/// The commands of `/dev/infiniband/rdma_cm` (include/uapi/rdma/rdma_user_cm.h). The C names are these with
/// `RDMA_USER_CM_CMD_` in front. `GET_OPTION` (13) is left out: no kernel has it.
public enum RdmaUcmCmd {
    /// Creates an identifier.
    CREATE_ID(0),
    /// Destroys an identifier.
    DESTROY_ID(1),
    /// Binds an identifier to a local address; the older form of [#BIND].
    BIND_IP(2),
    /// Resolves a peer's address; the older form of [#RESOLVE_ADDR].
    RESOLVE_IP(3),
    /// Resolves the route to a peer.
    RESOLVE_ROUTE(4),
    /// Asks for addresses and paths; the older form of [#QUERY].
    QUERY_ROUTE(5),
    /// Asks a peer for a connection.
    CONNECT(6),
    /// Listens for peers.
    LISTEN(7),
    /// Accepts a peer's request, or confirms its acceptance.
    ACCEPT(8),
    /// Rejects a peer's request.
    REJECT(9),
    /// Ends a connection.
    DISCONNECT(10),
    /// Asks for the attributes that lead a queue pair to a state.
    INIT_QP_ATTR(11),
    /// Takes an event.
    GET_EVENT(12),
    /// Sets an option of an identifier.
    SET_OPTION(14),
    /// Reports an asynchronous event of a queue pair.
    NOTIFY(15),
    /// Joins a multicast group; the older form of [#JOIN_MCAST].
    JOIN_IP_MCAST(16),
    /// Leaves a multicast group.
    LEAVE_MCAST(17),
    /// Moves an identifier to another channel.
    MIGRATE_ID(18),
    /// Asks for addresses (the answer named here), paths or GIDs.
    QUERY(19),
    /// Binds an identifier to a local address.
    BIND(20),
    /// Resolves a peer's address.
    RESOLVE_ADDR(21),
    /// Joins a multicast group.
    JOIN_MCAST(22),
    /// Resolves a service of an InfiniBand fabric; newer kernels only.
    RESOLVE_IB_SERVICE(23),
    /// Puts an event of the program's own among the others; newer kernels only.
    WRITE_CM_EVENT(24);

    private final int number;

    RdmaUcmCmd(int number) {
        this.number = number;
    }

    /// Returns what travels in `cmd`.
    public int number() {
        return number;
    }

    /// Returns the name in the header.
    public String cName() {
        return "RDMA_USER_CM_CMD_" + name();
    }

    /// Returns the request's struct.
    public CStruct request() {
        return switch (this) {
            case CREATE_ID -> RdmaUcmCreateId.STRUCT;
            case DESTROY_ID, LEAVE_MCAST -> RdmaUcmDestroyId.STRUCT;
            case BIND_IP -> RdmaUcmBindIp.STRUCT;
            case RESOLVE_IP -> RdmaUcmResolveIp.STRUCT;
            case RESOLVE_ROUTE -> RdmaUcmResolveRoute.STRUCT;
            case QUERY_ROUTE, QUERY -> RdmaUcmQuery.STRUCT;
            case CONNECT -> RdmaUcmConnect.STRUCT;
            case LISTEN -> RdmaUcmListen.STRUCT;
            case ACCEPT -> RdmaUcmAccept.STRUCT;
            case REJECT -> RdmaUcmReject.STRUCT;
            case DISCONNECT -> RdmaUcmDisconnect.STRUCT;
            case INIT_QP_ATTR -> RdmaUcmInitQpAttr.STRUCT;
            case GET_EVENT -> RdmaUcmGetEvent.STRUCT;
            case SET_OPTION -> RdmaUcmSetOption.STRUCT;
            case NOTIFY -> RdmaUcmNotify.STRUCT;
            case JOIN_IP_MCAST -> RdmaUcmJoinIpMcast.STRUCT;
            case MIGRATE_ID -> RdmaUcmMigrateId.STRUCT;
            case BIND -> RdmaUcmBind.STRUCT;
            case RESOLVE_ADDR -> RdmaUcmResolveAddr.STRUCT;
            case JOIN_MCAST -> RdmaUcmJoinMcast.STRUCT;
            case RESOLVE_IB_SERVICE -> RdmaUcmResolveIbService.STRUCT;
            case WRITE_CM_EVENT -> RdmaUcmWriteCmEvent.STRUCT;
        };
    }

    /// Returns the answer's struct; empty if the command has none.
    public Optional<CStruct> response() {
        return switch (this) {
            case CREATE_ID, JOIN_IP_MCAST, JOIN_MCAST -> Optional.of(RdmaUcmCreateIdResp.STRUCT);
            case DESTROY_ID, LEAVE_MCAST -> Optional.of(RdmaUcmDestroyIdResp.STRUCT);
            case QUERY_ROUTE -> Optional.of(RdmaUcmQueryRouteResp.STRUCT);
            case INIT_QP_ATTR -> Optional.of(IbUverbsQpAttr.STRUCT);
            case GET_EVENT -> Optional.of(RdmaUcmEventResp.STRUCT);
            case MIGRATE_ID -> Optional.of(RdmaUcmMigrateResp.STRUCT);
            case QUERY -> Optional.of(RdmaUcmQueryAddrResp.STRUCT);
            default -> Optional.empty();
        };
    }

    /// Returns the command of a number, if verbs4j knows it.
    public static Optional<RdmaUcmCmd> of(int number) {
        return Arrays.stream(values()).filter(value -> value.number == number).findFirst();
    }
}

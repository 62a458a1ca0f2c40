// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import java.util.Arrays;
import java.util.Optional;

/// The events of the connection manager (`enum rdma_cm_event_type`, include/rdma/rdma_cm.h), prefixed by
/// `RDMA_CM_EVENT_` in C.
public enum CmEventCode {
    /// The address is resolved.
    ADDR_RESOLVED(0),
    /// The address could not be resolved.
    ADDR_ERROR(1),
    /// The route is resolved.
    ROUTE_RESOLVED(2),
    /// The route could not be resolved.
    ROUTE_ERROR(3),
    /// A peer requests a connection.
    CONNECT_REQUEST(4),
    /// The peer has accepted, and waits for the confirmation.
    CONNECT_RESPONSE(5),
    /// The connection could not be established.
    CONNECT_ERROR(6),
    /// The peer does not answer.
    UNREACHABLE(7),
    /// The peer has rejected the request.
    REJECTED(8),
    /// The connection is established.
    ESTABLISHED(9),
    /// The connection has ended.
    DISCONNECTED(10),
    /// The RDMA device is being removed.
    DEVICE_REMOVAL(11),
    /// The group is joined.
    MULTICAST_JOIN(12),
    /// The group could not be joined, or the membership was lost.
    MULTICAST_ERROR(13),
    /// The network interface has another link address.
    ADDR_CHANGE(14),
    /// The queue pair number may be used again.
    TIMEWAIT_EXIT(15),
    /// A service is resolved.
    ADDRINFO_RESOLVED(16),
    /// A service could not be resolved.
    ADDRINFO_ERROR(17),
    /// The program itself wrote the event.
    USER(18),
    /// Internal to the kernel; never reported.
    INTERNAL(19);

    private final int number;

    CmEventCode(int number) {
        this.number = number;
    }

    /// Returns the kernel's number.
    public int number() {
        return number;
    }

    /// Returns the name in C.
    public String cName() {
        return "RDMA_CM_EVENT_" + name();
    }

    /// Returns the event with a number; empty for an event of a newer kernel.
    public static Optional<CmEventCode> of(int number) {
        return Arrays.stream(values()).filter(code -> code.number == number).findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.types.Errno;

/// Explains the status of events.
final class CmStatus {
    private CmStatus() {}

    /// Explains why a step failed.
    ///
    /// @param status a negated error number
    /// @param cause the meaning of the usual error number for this step
    static String failure(int status, String cause) {
        return Errno.describe(-status) + (cause.isEmpty() ? "" : ": " + cause);
    }

    /// Explains why an address could not be resolved.
    static String address(int status) {
        return switch (-status) {
            case Errno.ETIMEDOUT ->
                "the neighbour did not answer in time; check that the host is up and on this network, and that its interface"
                        + " answers (ip neighbour)";
            case Errno.ENODEV -> ResolveAddress.NO_DEVICE;
            case Errno.EHOSTUNREACH, Errno.ENETUNREACH -> "there is no route to the address (ip route get)";
            case Errno.EADDRNOTAVAIL ->
                "no network interface has the source address, or the interface of the route has no address (see 'ip address')";
            default -> "";
        };
    }

    /// Explains why a request was not answered.
    static String unreachable(int status) {
        return status == -Errno.ETIMEDOUT
                ? "the peer's connection manager does not answer; check that the host has an RDMA device with this address, that"
                        + " UDP port 4791 is open on the path, and that the server takes its requests in time"
                : "";
    }

    /// Translates the status of a datagram peer's refusal (`enum ib_cm_sidr_status`, include/rdma/ib_cm.h) into the
    /// reason of a rejected connection.
    static int refusedDatagrams(int status) {
        return switch (status) {
            case 1 -> RejectReason.NO_LISTENER.number();
            case 2 -> RejectReason.BY_PEER.number();
            case 3 -> RejectReason.NO_QUEUE_PAIR.number();
            case 4 -> RejectReason.PORT_REDIRECT.number();
            case 5 -> RejectReason.CLASS_VERSION.number();
            default -> status;
        };
    }

    /// Explains why the peer rejected the request.
    ///
    /// @param status the number of the reason, or a negated error number
    static String rejection(int status) {
        return status < 0
                ? "the peer rejected the request, or has no listener on this port"
                : RejectReason.of(status)
                        .map(reason -> "reason " + status + ": " + reason.explanation())
                        .orElse("reason " + status);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.util.Arrays;
import java.util.Optional;

/// Reason why a peer or its connection manager rejected a request (IBA vol. 1, 12.6.7.2). InfiniBand and RoCE only.
/// Over iWARP the status of a rejection is a negated error number.
public enum RejectReason {
    /// No queue pair is left.
    NO_QUEUE_PAIR(1, "the peer has no queue pair left"),
    /// No end-to-end context is left.
    NO_END_TO_END_CONTEXT(2, "the peer has no end-to-end context left"),
    /// Resources are missing.
    NO_RESOURCES(3, "the peer lacks resources"),
    /// The peer waited too long.
    TIMEOUT(4, "the peer waited too long for this end's next message"),
    /// The request is not supported.
    UNSUPPORTED_REQUEST(5, "the peer does not support the request"),
    /// The communication id is not valid.
    INVALID_COMMUNICATION_ID(6, "the peer does not know the connection"),
    /// The communication instance is not valid.
    INVALID_COMMUNICATION_INSTANCE(7, "the peer does not know this instance of the connection"),
    /// No program listens.
    NO_LISTENER(8,
            "the peer has no listener on this port in this port space; check port and address, and start the server"),
    /// The transport is not valid.
    INVALID_TRANSPORT(9, "the peer's service has another transport"),
    /// The queue pair number is in use.
    STALE_CONNECTION(10,
            "the peer still remembers a connection with this queue pair number; connect with another queue pair"),
    /// No reliable datagram channel exists.
    NO_DATAGRAM_CHANNEL(11, "the peer has no reliable datagram channel"),
    /// The port's GID is rejected.
    GID(12, "the peer rejects the port's GID"),
    /// The port's LID is rejected.
    LID(13, "the peer rejects the port's LID"),
    /// The service level is rejected.
    SERVICE_LEVEL(14, "the peer rejects the service level"),
    /// The traffic class is rejected.
    TRAFFIC_CLASS(15, "the peer rejects the traffic class"),
    /// The hop limit is rejected.
    HOP_LIMIT(16, "the peer rejects the hop limit"),
    /// The packet rate is rejected.
    PACKET_RATE(17, "the peer rejects the packet rate"),
    /// The alternate GID is rejected.
    ALTERNATE_GID(18, "the peer rejects the alternate path's GID"),
    /// The alternate LID is rejected.
    ALTERNATE_LID(19, "the peer rejects the alternate path's LID"),
    /// The alternate service level is rejected.
    ALTERNATE_SERVICE_LEVEL(20, "the peer rejects the alternate path's service level"),
    /// The alternate traffic class is rejected.
    ALTERNATE_TRAFFIC_CLASS(21, "the peer rejects the alternate path's traffic class"),
    /// The alternate hop limit is rejected.
    ALTERNATE_HOP_LIMIT(22, "the peer rejects the alternate path's hop limit"),
    /// The alternate packet rate is rejected.
    ALTERNATE_PACKET_RATE(23, "the peer rejects the alternate path's packet rate"),
    /// Another connection manager and port are responsible.
    PORT_AND_CM_REDIRECT(24, "the peer redirects to another port and connection manager"),
    /// Another port is responsible.
    PORT_REDIRECT(25, "the peer redirects to another port"),
    /// The path's MTU is rejected.
    PATH_MTU(26, "the peer rejects the path's MTU"),
    /// The limit of incoming reads and atomics is too low.
    INSUFFICIENT_RESPONDER_RESOURCES(27, "the peer supports fewer concurrent reads and atomics than requested"),
    /// The peer's program rejected the request. The kernel also gives this reason if programs listen only at other
    /// addresses of the port: `cma_ib_req_handler` finds no listener (cma.c).
    BY_PEER(28, "the peer's program rejected the request, ended without an answer, or listens at other addresses only"),
    /// The number of retries is rejected.
    RNR_RETRY(29, "the peer rejects the number of retries for a missing receive"),
    /// The communication id is used twice.
    DUPLICATE_COMMUNICATION_ID(30, "the peer has another connection with this id"),
    /// The protocol version is not supported.
    CLASS_VERSION(31, "the peer uses another version of the protocol"),
    /// The flow label is rejected.
    FLOW_LABEL(32, "the peer rejects the flow label"),
    /// The alternate flow label is rejected.
    ALTERNATE_FLOW_LABEL(33, "the peer rejects the alternate path's flow label");

    private final int number;
    private final String explanation;

    RejectReason(int number, String explanation) {
        this.number = number;
        this.explanation = explanation;
    }

    /// Returns the number in the message.
    public int number() {
        return number;
    }

    /// Returns the meaning of the reason and the remedy, as a sentence without a full stop.
    public String explanation() {
        return explanation;
    }

    /// Returns the reason with a number; empty if the number has no constant.
    public static Optional<RejectReason> of(int number) {
        return Arrays.stream(values()).filter(reason -> reason.number == number).findFirst();
    }
}

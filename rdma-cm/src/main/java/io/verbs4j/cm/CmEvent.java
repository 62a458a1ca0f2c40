// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import org.jspecify.annotations.Nullable;

/// An event of the connection manager. Taking an event from its channel acknowledges the event. An event is a value and
/// needs no release.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
public sealed interface CmEvent {
    /// Returns the identifier that the event belongs to. A request belongs to the listener. A multicast event belongs
    /// to the identifier that joined.
    Identifier identifier();

    /// Returns 0 or a negated error number; for a rejection, the reason.
    default int status() {
        return 0;
    }

    /// Returns the meaning of the status, and the remedy; empty if there was no error.
    default String explanation() {
        return "";
    }

    /// The address is resolved, and the device of the identifier is known.
    record AddressResolved(Identifier identifier) implements CmEvent {}

    /// The address could not be resolved. The program may try again.
    record AddressFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, CmStatus.address(status));
        }
    }

    /// The route is resolved.
    record RouteResolved(Identifier identifier) implements CmEvent {}

    /// The route could not be resolved. The program may try again.
    record RouteFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, CmStatus.address(status));
        }
    }

    /// A peer requests a connection or a datagram destination.
    ///
    /// @param identifier the listener
    /// @param incoming the new identifier, to be accepted, rejected or closed
    /// @param parameters the peer's offer, with incoming and outgoing reads swapped; for datagrams, only the private
    ///     data is used
    record ConnectRequest(Identifier identifier, Identifier incoming, ConnectionParameters parameters)
            implements CmEvent {
        /// Returns the peer's private data.
        public PrivateData privateData() {
            return parameters.privateData();
        }
    }

    /// The peer has accepted, and waits for [Identifier#confirm()]. Not used over iWARP.
    record ConnectResponse(Identifier identifier, ConnectionParameters parameters) implements CmEvent {}

    /// The connection could not be established.
    record ConnectFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, "");
        }
    }

    /// The peer does not answer, or refuses a datagram request. For a refusal, the status is positive.
    record Unreachable(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return status > 0
                    ? CmStatus.rejection(CmStatus.refusedDatagrams(status))
                    : CmStatus.failure(status, CmStatus.unreachable(status));
        }
    }

    /// The peer has rejected the request.
    ///
    /// @param status the number of the reason, or over iWARP a negated error number
    /// @param privateData the peer's private data
    record Rejected(Identifier identifier, int status, PrivateData privateData) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.rejection(status);
        }
    }

    /// The connection is established.
    ///
    /// @param parameters over iWARP, contains the peer's private data
    record Established(Identifier identifier, ConnectionParameters parameters) implements CmEvent {}

    /// The peer has announced its datagram destination.
    record DatagramsEstablished(Identifier identifier, DatagramPath path) implements CmEvent {}

    /// The connection has ended. Unless this end ended it, answer the event by [Identifier#disconnect()].
    record Disconnected(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return status == 0
                    ? ""
                    : CmStatus.failure(
                            status,
                            status == -Errno.ETIMEDOUT ? "the peer did not answer the disconnect request" : "");
        }
    }

    /// The device is being removed. The removal waits until the identifier is closed.
    record DeviceRemoved(Identifier identifier) implements CmEvent {}

    /// A multicast group is joined.
    ///
    /// @param path the destination of datagrams to the group
    record MulticastJoined(Identifier identifier, Membership membership, DatagramPath path) implements CmEvent {}

    /// A multicast group could not be joined, or is lost.
    record MulticastFailed(Identifier identifier, Membership membership, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, "");
        }
    }

    /// The network interface has a new link address.
    record AddressChanged(Identifier identifier) implements CmEvent {}

    /// The connection's time-wait has ended. The number of its queue pair may be used for another connection.
    record TimewaitExited(Identifier identifier) implements CmEvent {}

    /// An event written by the program itself.
    record UserEvent(Identifier identifier, int status, long argument) implements CmEvent {}

    /// An event that this version does not support.
    ///
    /// @param code the kernel's number
    record OtherEvent(Identifier identifier, int code, int status) implements CmEvent {
        /// Returns the kernel's name of the event; null if this version has no name for it.
        public @Nullable String cName() {
            return CmEventCode.of(code).map(CmEventCode::cName).orElse(null);
        }
    }
}

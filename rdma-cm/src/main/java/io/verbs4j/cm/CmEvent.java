// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import org.jspecify.annotations.Nullable;

/// An event of the connection manager. Taking it from its channel acknowledges it: it is a value, and needs no more care.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
public sealed interface CmEvent {
    /// Returns the identifier that it belongs to: of a request the listener, of a membership the one that joined.
    Identifier identifier();

    /// Returns 0, a negated error number, or of a rejection the reason.
    default int status() {
        return 0;
    }

    /// Returns what the status means and what helps; empty if nothing went wrong.
    default String explanation() {
        return "";
    }

    /// The address is resolved, and the identifier has a device.
    record AddressResolved(Identifier identifier) implements CmEvent {}

    /// The address could not be resolved; it may be tried again.
    record AddressFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, CmStatus.address(status));
        }
    }

    /// The route is resolved.
    record RouteResolved(Identifier identifier) implements CmEvent {}

    /// The route could not be resolved; it may be tried again.
    record RouteFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, CmStatus.address(status));
        }
    }

    /// A peer asks for a connection, or for where its datagrams go.
    ///
    /// @param identifier the listener
    /// @param incoming the new identifier, to be accepted, rejected or closed
    /// @param parameters what the peer offers, as this end has to use it; of datagrams only the private data count
    record ConnectRequest(Identifier identifier, Identifier incoming, ConnectionParameters parameters)
            implements CmEvent {
        /// Returns what the peer sent along.
        public PrivateData privateData() {
            return parameters.privateData();
        }
    }

    /// The peer has accepted, and waits for [Identifier#confirm()]. Not over iWARP.
    record ConnectResponse(Identifier identifier, ConnectionParameters parameters) implements CmEvent {}

    /// The connection could not be made.
    record ConnectFailed(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, "");
        }
    }

    /// The peer does not answer, or does not say where its datagrams go: then the status is positive.
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
    /// @param status a reason's number, or over iWARP a negated error number
    /// @param privateData what the peer sent along
    record Rejected(Identifier identifier, int status, PrivateData privateData) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.rejection(status);
        }
    }

    /// The connection stands.
    ///
    /// @param parameters over iWARP with the peer's private data
    record Established(Identifier identifier, ConnectionParameters parameters) implements CmEvent {}

    /// The peer of datagrams has said where they go.
    record DatagramsEstablished(Identifier identifier, DatagramPath path) implements CmEvent {}

    /// The connection has ended. Unless this end asked for it, it is to be answered by [Identifier#disconnect()].
    record Disconnected(Identifier identifier, int status) implements CmEvent {
        @Override
        public String explanation() {
            return status == 0
                    ? ""
                    : CmStatus.failure(
                            status,
                            status == -Errno.ETIMEDOUT ? "the peer did not answer the end of the connection" : "");
        }
    }

    /// The device is being removed, which waits until the identifier is closed.
    record DeviceRemoved(Identifier identifier) implements CmEvent {}

    /// A multicast group is joined.
    ///
    /// @param path where datagrams to the group go
    record MulticastJoined(Identifier identifier, Membership membership, DatagramPath path) implements CmEvent {}

    /// A multicast group could not be joined, or is lost.
    record MulticastFailed(Identifier identifier, Membership membership, int status) implements CmEvent {
        @Override
        public String explanation() {
            return CmStatus.failure(status, "");
        }
    }

    /// The network interface has another link address.
    record AddressChanged(Identifier identifier) implements CmEvent {}

    /// The queue pair's number may be used for another connection.
    record TimewaitExited(Identifier identifier) implements CmEvent {}

    /// The program itself wrote the event.
    record UserEvent(Identifier identifier, int status, long argument) implements CmEvent {}

    /// An event that this version does not know.
    ///
    /// @param code the kernel's number
    record OtherEvent(Identifier identifier, int code, int status) implements CmEvent {
        /// Returns the kernel's name of it, if it has one here.
        public @Nullable String cName() {
            return CmEventCode.of(code).map(CmEventCode::cName).orElse(null);
        }
    }
}

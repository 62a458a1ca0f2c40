// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Translates the kernel's events into values.
final class EventTranslation {
    /// Creates the identifier that a request brings.
    interface Incoming {
        Identifier identifier(Identifier listener, int number);
    }

    private EventTranslation() {}

    static boolean isRequest(CmEventRecord event) {
        return event.code() == CmEventCode.CONNECT_REQUEST.number();
    }

    static CmEvent of(CmEventRecord event, Identifier identifier, Incoming incoming) {
        boolean datagrams = identifier.queuePairType() == QueuePairType.UD;
        int status = event.status();
        return switch (CmEventCode.of(event.code()).orElse(CmEventCode.INTERNAL)) {
            case ADDR_RESOLVED -> new CmEvent.AddressResolved(identifier);
            case ADDR_ERROR -> new CmEvent.AddressFailed(identifier, status);
            case ROUTE_RESOLVED -> new CmEvent.RouteResolved(identifier);
            case ROUTE_ERROR -> new CmEvent.RouteFailed(identifier, status);
            case CONNECT_REQUEST ->
                new CmEvent.ConnectRequest(
                        identifier, incoming.identifier(identifier, event.id()), parameters(event, datagrams));
            case CONNECT_RESPONSE -> new CmEvent.ConnectResponse(identifier, event.connection());
            case CONNECT_ERROR -> new CmEvent.ConnectFailed(identifier, status);
            case UNREACHABLE -> new CmEvent.Unreachable(identifier, status);
            case REJECTED -> new CmEvent.Rejected(identifier, status, privateData(event, datagrams));
            case ESTABLISHED -> established(event, identifier, datagrams);
            case DISCONNECTED -> new CmEvent.Disconnected(identifier, status);
            case DEVICE_REMOVAL -> new CmEvent.DeviceRemoved(identifier);
            case ADDR_CHANGE -> new CmEvent.AddressChanged(identifier);
            case TIMEWAIT_EXIT -> new CmEvent.TimewaitExited(identifier);
            case USER -> new CmEvent.UserEvent(identifier, status, event.argument());
            case MULTICAST_JOIN, MULTICAST_ERROR, ADDRINFO_RESOLVED, ADDRINFO_ERROR, INTERNAL ->
                new CmEvent.OtherEvent(identifier, event.code(), status);
        };
    }

    static CmEvent of(CmEventRecord event, Membership membership) {
        Identifier identifier = membership.identifier();
        DatagramPath path = event.datagram();
        if (event.code() == CmEventCode.MULTICAST_JOIN.number() && event.status() == 0 && path != null) {
            return new CmEvent.MulticastJoined(identifier, membership, path);
        }
        return event.code() == CmEventCode.MULTICAST_ERROR.number()
                || event.code() == CmEventCode.MULTICAST_JOIN.number()
                        ? new CmEvent.MulticastFailed(identifier, membership, event.status())
                        : new CmEvent.OtherEvent(identifier, event.code(), event.status());
    }

    private static CmEvent established(CmEventRecord event, Identifier identifier, boolean datagrams) {
        DatagramPath path = event.datagram();
        return datagrams && path != null
                ? new CmEvent.DatagramsEstablished(identifier, path)
                : new CmEvent.Established(identifier, parameters(event, datagrams));
    }

    private static ConnectionParameters parameters(CmEventRecord event, boolean datagrams) {
        return datagrams
                ? ConnectionParameters.DEFAULT.withPrivateData(event.datagramData())
                : event.connection();
    }

    private static PrivateData privateData(CmEventRecord event, boolean datagrams) {
        @Nullable DatagramPath path = datagrams ? event.datagram() : null;
        return path != null ? path.privateData() : parameters(event, datagrams).privateData();
    }
}

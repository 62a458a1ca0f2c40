// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import io.verbs4j.types.PortSpace;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A message of the connection manager. Immutable.
///
/// @param type kind of message
/// @param fields its fields, by the names of [CmMessageType#layout()]
public record CmMessage(CmMessageType type, Fields fields) {
    private static final int PORT_BITS = 16;

    /// Checks that the fields belong to the type.
    public CmMessage {
        if (!type.layout().equals(fields.layout())) {
            throw new IllegalArgumentException("fields of another message: type=" + type);
        }
    }

    /// Returns a builder for a message whose fields are zero.
    public static Fields.Builder fieldsOf(CmMessageType type) {
        return Fields.builder(type.layout());
    }

    /// Returns the sender's identifier of the connection or datagram lookup, 32 bits unsigned; empty in the response to
    /// a lookup.
    public OptionalLong localId() {
        String name = type == CmMessageType.SIDR_REQ ? CmLayouts.REQUEST_ID : CmLayouts.LOCAL_ID;
        return value(name);
    }

    /// Returns the receiver's identifier of the connection or lookup, 32 bits unsigned; empty in a first message.
    public OptionalLong remoteId() {
        String name = type == CmMessageType.SIDR_REP ? CmLayouts.REQUEST_ID : CmLayouts.REMOTE_ID;
        return value(name);
    }

    private OptionalLong value(String name) {
        return type.layout().has(name) ? OptionalLong.of(fields.value(name)) : OptionalLong.empty();
    }

    /// Returns the requested service, 64 bits; empty in messages without one.
    public OptionalLong serviceId() {
        return value(CmLayouts.SERVICE_ID);
    }

    /// Returns the port space of the service, if it is addressed by IP.
    public Optional<PortSpace> portSpace() {
        OptionalLong service = serviceId();
        if (service.isEmpty() || service.getAsLong() >>> (2 * PORT_BITS) != 0) {
            return Optional.empty();
        }
        return PortSpace.of((int) (service.getAsLong() >>> PORT_BITS)).filter(space -> space != PortSpace.IB);
    }

    /// Returns the port of the service, if it is addressed by IP.
    public OptionalInt port() {
        return portSpace().isPresent()
                ? OptionalInt.of((int) serviceId().orElseThrow() & 0xffff)
                : OptionalInt.empty();
    }

    /// Returns the addresses before the application's private data; empty in messages without them.
    public Optional<IpHeader> ipHeader() {
        boolean first = type == CmMessageType.REQ || type == CmMessageType.SIDR_REQ;
        return first && portSpace().isPresent()
                ? IpHeader.of(fields.bytes(CmLayouts.PRIVATE_DATA))
                : Optional.empty();
    }

    /// Returns a copy of the application's private data, without the IP header but with trailing zeros, because the
    /// length of the data is not transmitted.
    public byte[] privateData() {
        byte[] all = fields.bytes(CmLayouts.PRIVATE_DATA);
        return ipHeader().isPresent() ? Arrays.copyOfRange(all, IpHeader.BYTES, all.length) : all;
    }

    /// Returns the queue pair in the message: the sender's in REQ, REP and SIDR_REP, the receiver's in DREQ and LAP.
    public OptionalInt queuePairNumber() {
        return switch (type) {
            case REQ, REP -> OptionalInt.of(fields.number("local_qpn"));
            case SIDR_REP -> OptionalInt.of(fields.number("qpn"));
            case DREQ, LAP -> OptionalInt.of(fields.number("remote_qpn_eecn"));
            default -> OptionalInt.empty();
        };
    }

    @Override
    public String toString() {
        return "CM " + type;
    }
}

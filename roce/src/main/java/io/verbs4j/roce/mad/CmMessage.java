// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import io.verbs4j.types.PortSpace;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A message of the connection manager. Immutable.
///
/// @param type which one
/// @param fields its fields, by the names of [CmMessageType#layout()]
public record CmMessage(CmMessageType type, Fields fields) {
    private static final int PORT_BITS = 16;

    /// Checks that the fields are those of the type.
    public CmMessage {
        if (!type.layout().equals(fields.layout())) {
            throw new IllegalArgumentException("fields of another message: type=" + type);
        }
    }

    /// Returns a builder for the fields of a message that is all zero so far.
    public static Fields.Builder fieldsOf(CmMessageType type) {
        return Fields.builder(type.layout());
    }

    /// Returns the sender's name of the connection, or of a request for datagrams, 32 bits unsigned; empty in the answer to the latter.
    public OptionalLong localId() {
        String name = type == CmMessageType.SIDR_REQ ? CmLayouts.REQUEST_ID : CmLayouts.LOCAL_ID;
        return value(name);
    }

    /// Returns the receiver's name of the connection or request, 32 bits unsigned; empty in a first message.
    public OptionalLong remoteId() {
        String name = type == CmMessageType.SIDR_REP ? CmLayouts.REQUEST_ID : CmLayouts.REMOTE_ID;
        return value(name);
    }

    private OptionalLong value(String name) {
        return type.layout().has(name) ? OptionalLong.of(fields.value(name)) : OptionalLong.empty();
    }

    /// Returns what is asked for, 64 bits; empty in messages that ask for nothing.
    public OptionalLong serviceId() {
        return value(CmLayouts.SERVICE_ID);
    }

    /// Returns the port space of the service, if it is one of IP addresses.
    public Optional<PortSpace> portSpace() {
        OptionalLong service = serviceId();
        if (service.isEmpty() || service.getAsLong() >>> (2 * PORT_BITS) != 0) {
            return Optional.empty();
        }
        return PortSpace.of((int) (service.getAsLong() >>> PORT_BITS)).filter(space -> space != PortSpace.IB);
    }

    /// Returns the port of the service, if it is one of IP addresses.
    public OptionalInt port() {
        return portSpace().isPresent()
                ? OptionalInt.of((int) serviceId().orElseThrow() & 0xffff)
                : OptionalInt.empty();
    }

    /// Returns the addresses in front of the application's private data; empty in messages that have none.
    public Optional<IpHeader> ipHeader() {
        boolean first = type == CmMessageType.REQ || type == CmMessageType.SIDR_REQ;
        return first && portSpace().isPresent()
                ? IpHeader.of(fields.bytes(CmLayouts.PRIVATE_DATA))
                : Optional.empty();
    }

    /// Returns a copy of the application's private data, without the IP header, and with the zeros that the message was
    /// filled with: their length does not travel.
    public byte[] privateData() {
        byte[] all = fields.bytes(CmLayouts.PRIVATE_DATA);
        return ipHeader().isPresent() ? Arrays.copyOfRange(all, IpHeader.BYTES, all.length) : all;
    }

    /// Returns the queue pair that the message names: the sender's in REQ, REP and SIDR_REP, the receiver's in DREQ and LAP.
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

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A RoCE v2 packet, the payload of a UDP datagram to port [#UDP_PORT]: headers, payload, padding, and invariant CRC.
/// The CRC is kept as received; [Icrc] computes the correct one. A RoCE v1 packet is the same from its base transport
/// header on. Immutable.
public final class RoceV2Packet {
    /// UDP destination port of RoCE v2.
    public static final int UDP_PORT = 4791;

    /// Bytes of the invariant CRC.
    public static final int ICRC_BYTES = 4;

    private final Bth bth;
    private final List<RoceHeader> extensions;
    private final byte[] payload;
    private final int icrc;

    private RoceV2Packet(Bth bth, List<RoceHeader> extensions, byte[] payload, int icrc) {
        this.bth = bth;
        this.extensions = List.copyOf(extensions);
        this.payload = payload;
        this.icrc = icrc;
    }

    /// Parses a packet.
    ///
    /// @param bytes contains the packet, from `offset` on
    /// @param length bytes of the packet, including the invariant CRC
    /// @throws DamagedPacketException if the packet is too short for its opcode, or has more padding than payload
    public static RoceV2Packet parse(byte[] bytes, int offset, int length) throws DamagedPacketException {
        if (length > bytes.length - offset) {
            throw new DamagedPacketException(
                    "truncated to " + (bytes.length - offset) + " of " + length + " bytes of a RoCE packet");
        }
        if (length < Bth.BYTES + ICRC_BYTES) {
            throw new DamagedPacketException("too short for a RoCE packet: length=" + length);
        }
        var buffer = ByteBuffer.wrap(bytes, offset, length - ICRC_BYTES);
        var start = PacketStart.read(buffer);
        if (!start.missing().isEmpty()) {
            throw new DamagedPacketException("too short for its " + start.missing() + ": length=" + length);
        }
        Bth bth = start.bth().orElseThrow();
        int payloadBytes = buffer.remaining() - bth.padCount();
        if (payloadBytes < 0) {
            throw new DamagedPacketException("has more padding than payload: padCount=" + bth.padCount());
        }
        byte[] payload = new byte[payloadBytes];
        buffer.get(payload);
        int icrc = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + length - ICRC_BYTES);
        return new RoceV2Packet(bth, start.extensions(), payload, icrc);
    }

    /// Returns the base transport header.
    public Bth bth() {
        return bth;
    }

    /// Returns the headers after the base transport header, in wire order.
    public List<RoceHeader> extensions() {
        return extensions;
    }

    /// Returns the first extension header of a type, if there is one.
    public <T extends RoceHeader> Optional<T> extension(Class<T> type) {
        return extensions.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /// Returns a copy of the payload, without padding.
    public byte[] payload() {
        return payload.clone();
    }

    /// Returns the number of bytes of payload, without padding.
    public int payloadLength() {
        return payload.length;
    }

    /// Returns the invariant CRC at the end of the packet. On the wire its lowest byte comes first.
    public int icrc() {
        return icrc;
    }

    /// Returns all headers in wire format.
    public byte[] headerBytes() {
        var buffer = ByteBuffer.allocate(Bth.BYTES + extensions.size() * AtomicEth.BYTES); // no header is longer
        putHeaders(buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private void putHeaders(ByteBuffer buffer) {
        bth.put(buffer);
        extensions.forEach(extension -> extension.put(buffer));
    }

    /// Returns the packet in wire format.
    public byte[] bytes() {
        byte[] headers = headerBytes();
        var buffer = ByteBuffer.allocate(headers.length + payload.length + bth.padCount() + ICRC_BYTES);
        put(buffer);
        return buffer.array();
    }

    /// Writes the packet in wire format, with padding and invariant CRC, into a big-endian buffer.
    public void put(ByteBuffer buffer) {
        putHeaders(buffer);
        buffer.put(payload);
        for (int i = 0; i < bth.padCount(); i++) {
            buffer.put((byte) 0);
        }
        buffer.putInt(Integer.reverseBytes(icrc)); // its lowest byte comes first
    }

    /// Returns a builder with this packet's contents.
    public Builder toBuilder() {
        var builder = new Builder();
        builder.bth = bth;
        builder.extensions = extensions;
        builder.payload = payload;
        builder.icrc = icrc;
        return builder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RoceV2Packet packet
                && packet.bth.equals(bth)
                && packet.extensions.equals(extensions)
                && Arrays.equals(packet.payload, payload)
                && packet.icrc == icrc;
    }

    @Override
    public int hashCode() {
        return Objects.hash(bth, extensions, Arrays.hashCode(payload), icrc);
    }

    @Override
    public String toString() {
        return bth + " " + extensions + " and " + payload.length + " bytes";
    }

    /// Builds packets, for tests, simulations and generators. The caller sets the invariant CRC.
    public static final class Builder {
        private @Nullable Bth bth;
        private List<RoceHeader> extensions = List.of();
        private byte[] payload = {};
        private int icrc;

        /// Creates a builder without headers.
        public Builder() {}

        /// Sets the base transport header. Does not change the header's pad count.
        public Builder bth(Bth value) {
            bth = value;
            return this;
        }

        /// Sets the headers after the base transport header, in wire order.
        public Builder extensions(RoceHeader... headers) {
            extensions = List.of(headers);
            return this;
        }

        /// Sets the payload, which is copied.
        public Builder payload(byte... bytes) {
            payload = bytes.clone();
            return this;
        }

        /// Sets the invariant CRC.
        public Builder icrc(int value) {
            icrc = value;
            return this;
        }

        /// Builds the packet.
        ///
        /// @throws IllegalStateException if there is no base transport header
        public RoceV2Packet build() {
            if (bth == null) {
                throw new IllegalStateException("a RoCE v2 packet needs a base transport header");
            }
            return new RoceV2Packet(bth, extensions, payload, icrc);
        }
    }
}

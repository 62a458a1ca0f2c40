// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcap4j.packet.AbstractPacket;
import org.pcap4j.packet.IllegalRawDataException;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.UnknownPacket;

/// A RoCE v2 packet, the payload of a UDP datagram to port [#UDP_PORT]: headers, payload, padding, and the invariant
/// CRC, which is kept as it arrived; [Icrc] says what it should be.
public final class RoceV2Packet extends AbstractPacket {
    private static final long serialVersionUID = 1;

    /// UDP destination port of RoCE v2.
    public static final int UDP_PORT = 4791;

    /// Bytes of the invariant CRC.
    public static final int ICRC_BYTES = 4;

    private final RoceV2Header header;
    private final @Nullable Packet payload;
    private final int icrc;

    private RoceV2Packet(RoceV2Header header, @Nullable Packet payload, int icrc) {
        this.header = header;
        this.payload = payload;
        this.icrc = icrc;
    }

    /// Reads a packet.
    ///
    /// @throws IllegalRawDataException if it is too short for what its opcode promises
    public static RoceV2Packet newPacket(byte[] rawData, int offset, int length) throws IllegalRawDataException {
        int end = offset + length - ICRC_BYTES;
        if (length < Bth.BYTES + ICRC_BYTES || end > rawData.length - ICRC_BYTES) {
            throw new IllegalRawDataException("too short for a RoCE v2 packet: length=" + length);
        }
        var buffer = ByteBuffer.wrap(rawData, offset, length - ICRC_BYTES);
        RoceV2Header header;
        try {
            header = RoceV2Header.parse(buffer);
        } catch (BufferUnderflowException e) {
            throw new IllegalRawDataException("too short for its headers: length=" + length, e);
        }
        int bytes = buffer.remaining() - header.bth().padCount();
        if (bytes < 0) {
            throw new IllegalRawDataException("pads more than it carries: padCount=" + header.bth().padCount());
        }
        Packet payload = bytes == 0 ? null : UnknownPacket.newPacket(rawData, buffer.position(), bytes);
        int icrc = ByteBuffer.wrap(rawData).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        return new RoceV2Packet(header, payload, icrc);
    }

    @Override
    public RoceV2Header getHeader() {
        return header;
    }

    @Override
    public @Nullable Packet getPayload() {
        return payload;
    }

    /// The base transport header.
    public Bth bth() {
        return header.bth();
    }

    /// The first extension header of that type, if there is one.
    public <T extends RoceHeader> Optional<T> extension(Class<T> type) {
        return header.extensions().stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /// Bytes of payload, without padding.
    public int payloadLength() {
        return payload == null ? 0 : payload.length();
    }

    /// The invariant CRC that the packet ends with. On the wire its lowest byte comes first.
    public int icrc() {
        return icrc;
    }

    @Override
    protected int calcLength() {
        return header.length() + payloadLength() + bth().padCount() + ICRC_BYTES;
    }

    @Override
    protected byte[] buildRawData() {
        var buffer = ByteBuffer.allocate(calcLength()).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(header.getRawData());
        if (payload != null) {
            buffer.put(payload.getRawData());
        }
        return buffer.putInt(buffer.limit() - ICRC_BYTES, icrc).array();
    }

    @Override
    public Builder getBuilder() {
        return new Builder().header(header).payload(payload).icrc(icrc);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof RoceV2Packet packet && packet.icrc == icrc;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + icrc;
    }

    /// The base transport header and what follows it.
    public static final class RoceV2Header extends AbstractHeader {
        private static final long serialVersionUID = 1;

        private final Bth bth;
        private final ArrayList<RoceHeader> extensions;

        private RoceV2Header(Bth bth, List<RoceHeader> extensions) {
            this.bth = bth;
            this.extensions = new ArrayList<>(extensions);
        }

        private static RoceV2Header parse(ByteBuffer buffer) {
            Bth bth = Bth.parse(buffer);
            var extensions = new ArrayList<RoceHeader>();
            for (HeaderKind kind : bth.opcode().headers()) {
                extensions.add(kind.parse(buffer));
            }
            return new RoceV2Header(bth, extensions);
        }

        /// The base transport header.
        public Bth bth() {
            return bth;
        }

        /// The headers after it, in the order of the wire.
        public List<RoceHeader> extensions() {
            return Collections.unmodifiableList(extensions);
        }

        @Override
        protected List<byte[]> getRawFields() {
            var fields = new ArrayList<byte[]>();
            fields.add(bth.bytes());
            for (RoceHeader extension : extensions) {
                fields.add(extension.bytes());
            }
            return fields;
        }

        @Override
        protected String buildString() {
            return "[RoCE v2 headers (" + length() + " bytes)]\n  " + bth + "\n"
                    + String.join("", extensions.stream().map(header -> "  " + header + "\n").toList());
        }
    }

    /// Makes packets, for tests and generators. The invariant CRC is what the caller says.
    public static final class Builder extends AbstractBuilder {
        private @Nullable Bth bth;
        private List<RoceHeader> extensions = List.of();
        private @Nullable Packet payload;
        private int icrc;

        /// Starts without any header.
        public Builder() {}

        private Builder header(RoceV2Header header) {
            bth = header.bth;
            extensions = header.extensions();
            return this;
        }

        /// The base transport header. Its pad count is kept as it is.
        public Builder bth(Bth value) {
            bth = value;
            return this;
        }

        /// The headers after it, in the order of the wire.
        public Builder extensions(RoceHeader... headers) {
            extensions = List.of(headers);
            return this;
        }

        /// What it carries.
        public Builder payload(@Nullable Packet packet) {
            payload = packet;
            return this;
        }

        /// The invariant CRC.
        public Builder icrc(int value) {
            icrc = value;
            return this;
        }

        @Override
        public RoceV2Packet build() {
            if (bth == null) {
                throw new IllegalStateException("a RoCE v2 packet needs a base transport header");
            }
            return new RoceV2Packet(new RoceV2Header(bth, extensions), payload, icrc);
        }
    }
}

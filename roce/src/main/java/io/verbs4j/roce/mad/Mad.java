// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceV2Packet;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A management datagram: 256 bytes, with a header that all classes have in common (IBA vol. 1, 13.4). On RoCE, only
/// the connection manager uses management datagrams. Immutable.
public final class Mad {
    /// Length in bytes.
    public static final int BYTES = 256;
    /// The queue pair that receives management datagrams: the general services interface.
    public static final int QUEUE_PAIR = 1;
    /// The Q_Key of that queue pair (`IB_QP1_QKEY`, include/rdma/ib_mad.h).
    public static final int QKEY = 0x8001_0000;
    /// The class of the connection manager (`IB_MGMT_CLASS_CM`).
    public static final int CONNECTION_MANAGER = 0x07;

    private static final int CM_VERSION = 2;
    private static final int SEND = 3;

    static final BitLayout HEADER = new BitLayout.Builder()
            .field("base_version", 8, "1")
            .field("mgmt_class", 8, "0x07 is the connection manager")
            .field("class_version", 8, "2 for the connection manager")
            .field("method", 8, "3 is Send")
            .field("status", 16)
            .field("class_specific", 16)
            .field("tid", 64, "transaction id; the same in repetitions")
            .field("attr_id", 16, "the message of the class")
            .reserved(16)
            .field("attr_mod", 32)
            .of(24);

    private final Fields header;
    private final byte[] data;
    private final @Nullable CmMessage message;

    private Mad(Fields header, byte[] data) {
        this.header = header;
        this.data = data;
        boolean manager = header.value("mgmt_class") == CONNECTION_MANAGER
                && header.value("class_version") == CM_VERSION;
        this.message = manager
                ? CmMessageType.of(header.number("attr_id"))
                        .map(type -> new CmMessage(type, Fields.read(type.layout(), data, 0)))
                        .orElse(null)
                : null;
    }

    /// Returns the MAD in a packet.
    ///
    /// @return empty if the packet goes to another queue pair, is not a datagram, or is shorter than a MAD
    public static Optional<Mad> in(RoceV2Packet packet) {
        boolean management = packet.bth().destinationQueuePair() == QUEUE_PAIR
                && packet.extension(Deth.class).isPresent();
        return management ? parse(packet.payload()) : Optional.empty();
    }

    /// Parses a MAD.
    ///
    /// @return empty if there are fewer than 256 bytes; additional bytes are ignored
    public static Optional<Mad> parse(byte[] bytes) {
        return bytes.length < BYTES
                ? Optional.empty()
                : Optional.of(new Mad(
                        Fields.read(HEADER, bytes, 0), Arrays.copyOfRange(bytes, HEADER.bytes(), BYTES)));
    }

    /// Returns a MAD with a message of the connection manager.
    ///
    /// @param transaction transaction id of the MAD
    public static Mad of(CmMessage message, long transaction) {
        Fields header = Fields.builder(HEADER)
                .set("base_version", 1)
                .set("mgmt_class", CONNECTION_MANAGER)
                .set("class_version", CM_VERSION)
                .set("method", SEND)
                .set("tid", transaction)
                .set("attr_id", message.type().attributeId())
                .build();
        return new Mad(header, message.fields().bytes());
    }

    /// Returns the common header.
    public Fields header() {
        return header;
    }

    /// Returns a copy of the 232 bytes after the header.
    public byte[] data() {
        return data.clone();
    }

    /// Returns the message of the connection manager; empty for other classes, versions and attributes.
    public Optional<CmMessage> message() {
        return Optional.ofNullable(message);
    }

    /// Returns the 256 bytes in wire format.
    public byte[] bytes() {
        byte[] all = Arrays.copyOf(header.bytes(), BYTES);
        System.arraycopy(data, 0, all, HEADER.bytes(), data.length);
        return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Mad mad && header.equals(mad.header) && Arrays.equals(data, mad.data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(header, Arrays.hashCode(data));
    }

    /// Returns the message's name, such as `CM REQ`, or class and attribute in hexadecimal.
    @Override
    public String toString() {
        return message != null
                ? message.toString()
                : "MAD class %s attribute %s".formatted(
                        header.text(HEADER.field("mgmt_class")), header.text(HEADER.field("attr_id")));
    }
}

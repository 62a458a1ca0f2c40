// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.types.PrivateData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/// What each side says of itself in the private data of request and acceptance: 40 bytes, numbers in network byte order.
///
/// | offset | bytes | content |
/// | --- | --- | --- |
/// | 0 | 1 | version, 1 |
/// | 1 | 1 | flags: 1 if the sender is big-endian, 2 if byte 7 counts |
/// | 2 | 2 | credits: data messages that may be sent before a credit message |
/// | 7 | 1 | entries for direct writes behind the table; 0 here |
/// | 8 | 16 | the table: address, rkey, entries |
/// | 24 | 16 | the first half of the receive ring: address, rkey, bytes |
///
/// @param bigEndian true if numbers in the sender's table are in network byte order
/// @param credits unsigned, 16 bits
record StreamOffer(
        boolean bigEndian,
        int credits,
        long tableAddress,
        int tableKey,
        int tableEntries,
        long ringAddress,
        int ringKey,
        int ringBytes) {
    static final int BYTES = 40;
    /// Entries that the protocol needs.
    static final int ENTRIES = 2;

    private static final int VERSION = 1;
    private static final int BIG_ENDIAN_FLAG = 1;
    private static final int ENTRIES_FLAG = 2;

    PrivateData encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put((byte) VERSION)
                .put((byte) (ENTRIES_FLAG | (bigEndian ? BIG_ENDIAN_FLAG : 0)))
                .putShort((short) credits)
                .putInt(0)
                .putLong(tableAddress)
                .putInt(tableKey)
                .putInt(tableEntries)
                .putLong(ringAddress)
                .putInt(ringKey)
                .putInt(ringBytes);
        return PrivateData.of(bytes.array());
    }

    /// Reads a peer's offer.
    ///
    /// @return empty if it is none of this version, or one that no stream can live with
    static Optional<StreamOffer> decode(PrivateData data) {
        if (data.size() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(data.bytes()).order(ByteOrder.BIG_ENDIAN);
        int version = bytes.get();
        int flags = bytes.get();
        int credits = Short.toUnsignedInt(bytes.getShort());
        bytes.getInt();
        var offer = new StreamOffer(
                (flags & BIG_ENDIAN_FLAG) != 0,
                credits,
                bytes.getLong(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getLong(),
                bytes.getInt(),
                bytes.getInt());
        return version == VERSION && offer.tableEntries >= ENTRIES && offer.ringBytes > 0
                ? Optional.of(offer)
                : Optional.empty();
    }
}

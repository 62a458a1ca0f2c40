// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.types.PrivateData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The private data that each end sends in the connection manager's messages: `struct rs_conn_data` of
/// librdmacm/rsocket.c, 40 bytes.
/// Numbers are in network byte order.
///
/// @param bigEndian whether the sender's table is in big-endian order
/// @param credits initial number of data messages that the receiver of this greeting may send, 0 to 65535
/// @param tableAddress address of the table in which the sender of this greeting expects announcements of ring segments
/// @param tableKey rkey of the table
/// @param tableEntries number of entries of the table, at least 2
/// @param dataAddress address of the first ring segment
/// @param dataKey rkey of the segment
/// @param dataBytes length of the segment, at least 1
/// @param mappings number of entries of the table for direct writes, which follows the other table: 0 to 128, or a
///     multiple of 256
record Greeting(
        boolean bigEndian,
        int credits,
        long tableAddress,
        int tableKey,
        int tableEntries,
        long dataAddress,
        int dataKey,
        int dataBytes,
        int mappings) {
    static final int VERSION = 1;

    /// Number of entries of a table of ring segments.
    static final int ENTRIES = 2;

    private static final int BYTES = 40;
    private static final int BIG_ENDIAN_FLAG = 1;
    private static final int IOMAP_FLAG = 2;
    private static final int CREDITS_MASK = 0xffff;
    private static final int MAPPINGS_AT = 7;
    private static final int TABLE_AT = 8;
    /// The largest number of mappings that the byte holds directly. For larger numbers the highest bit is set, and the
    /// other bits count units of 256.
    private static final int MAX_SINGLE = 1 << 7;
    private static final int MAX_ENTRIES = 1 << 16;

    /// Returns the private data to send, with at most 128 mappings.
    PrivateData encode() {
        ByteBuffer buffer = ByteBuffer.allocate(BYTES).order(ByteOrder.BIG_ENDIAN);
        buffer.put((byte) VERSION)
                .put((byte) (IOMAP_FLAG | (bigEndian ? BIG_ENDIAN_FLAG : 0)))
                .putShort((short) credits);
        buffer.put(MAPPINGS_AT, (byte) mappings).position(TABLE_AT);
        buffer.putLong(tableAddress).putInt(tableKey).putInt(tableEntries);
        buffer.putLong(dataAddress).putInt(dataKey).putInt(dataBytes);
        return PrivateData.of(buffer.array());
    }

    /// Reads the private data of a peer.
    ///
    /// @throws io.verbs4j.types.VerbsException if the data has another version or invalid values
    static Greeting decode(PrivateData data) {
        byte[] bytes = data.bytes();
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw StreamFailures.version(bytes.length == 0 ? 0 : Byte.toUnsignedInt(bytes[0]));
        }
        if (bytes.length < BYTES) {
            throw StreamFailures.protocol("its private data has " + bytes.length + " bytes, not " + BYTES);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN).position(1);
        int flags = buffer.get();
        int credits = buffer.getShort() & CREDITS_MASK;
        int scaled = (flags & IOMAP_FLAG) == 0 ? 0 : Byte.toUnsignedInt(buffer.get(MAPPINGS_AT));
        buffer.position(TABLE_AT);
        var greeting = new Greeting(
                (flags & BIG_ENDIAN_FLAG) != 0,
                credits,
                buffer.getLong(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getLong(),
                buffer.getInt(),
                buffer.getInt(),
                scaled <= MAX_SINGLE ? scaled : (scaled - MAX_SINGLE) << Byte.SIZE);
        if (greeting.tableEntries < ENTRIES || greeting.tableEntries > MAX_ENTRIES) {
            throw StreamFailures.protocol(
                    "its table has " + Integer.toUnsignedString(greeting.tableEntries) + " entries");
        }
        if (greeting.dataBytes <= 0) {
            throw StreamFailures.protocol(
                    "its ring has " + Integer.toUnsignedString(greeting.dataBytes) + " bytes");
        }
        return greeting;
    }
}

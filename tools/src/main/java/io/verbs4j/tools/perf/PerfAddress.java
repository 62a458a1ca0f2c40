// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Address of a queue pair and of its memory, as the two programs exchange it.
///
/// On the TCP connection it is the text `LID:READS:QPN:PSN:RKEY:ADDRESS:GID:SRQN:` in hexadecimal, with 108 bytes
/// including the terminating zero byte. The GID consists of 16 numbers, separated by colons (`KEY_PRINT_FMT_GID` in
/// perftest_communication.h).
///
/// @param lid the LID; 0 on RoCE
/// @param outstandingReads number of concurrent reads and atomics that the queue pair accepts
/// @param queuePairNumber 24 bits
/// @param packetSequenceNumber the first number that it sends, 24 bits
/// @param remoteKey key of the memory
/// @param memory address of the memory
/// @param gid the GID
record PerfAddress(
        int lid,
        int outstandingReads,
        int queuePairNumber,
        int packetSequenceNumber,
        int remoteKey,
        long memory,
        Gid gid) {
    /// Length of the message with its terminating zero byte.
    static final int MESSAGE_BYTES = 108;
    /// Length of the struct. Two unused fields follow the GID: the number of a shared receive queue, and a GID index.
    private static final int STRUCT_BYTES = 56;

    /// Placeholder for a step before the address is known.
    static final PerfAddress NONE = new PerfAddress(0, 0, 0, 0, 0, 0, Gid.ZERO);

    private static final Pattern MESSAGE =
            Pattern.compile("([0-9a-f]{1,4}):([0-9a-f]{1,8}):([0-9a-f]{1,6}):([0-9a-f]{1,6})"
                    + ":([0-9a-f]{1,8}):([0-9a-f]{1,16}):((?:[0-9a-f]{2}:){16})([0-9a-f]{1,8}):");

    /// Decodes a message.
    ///
    /// @throws ToolException if the message is not an address
    static PerfAddress parse(byte[] message) {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        Matcher fields = MESSAGE.matcher(end < 0 ? text : text.substring(0, end));
        if (!fields.matches()) {
            throw new ToolException(
                    "the peer sent '" + text.replaceAll("[^ -~]", ".") + "' instead of an address",
                    "check that the peer runs the same test, and that it is perftest or 'verbs perf'");
        }
        return new PerfAddress(
                Integer.parseInt(fields.group(1), 16),
                Integer.parseUnsignedInt(fields.group(2), 16),
                Integer.parseInt(fields.group(3), 16),
                Integer.parseInt(fields.group(4), 16),
                Integer.parseUnsignedInt(fields.group(5), 16),
                Long.parseUnsignedLong(fields.group(6), 16),
                Gid.ofHex(fields.group(7).replace(":", "")));
    }

    /// Decodes `struct pingpong_dest` (perftest_resources.h) with numbers in network byte order, as sent over RDMA.
    static PerfAddress ofStruct(byte[] struct) {
        var buffer = ByteBuffer.wrap(struct);
        int lid = buffer.getInt();
        int reads = buffer.getInt();
        int number = buffer.getInt() & 0xffffff;
        int psn = buffer.getInt() & 0xffffff;
        int key = buffer.getInt();
        buffer.getInt(); // padding
        long address = buffer.getLong();
        var gid = new byte[Gid.BYTES];
        buffer.get(gid);
        return new PerfAddress(lid & 0xffff, reads, number, psn, key, address, Gid.of(gid));
    }

    /// Returns the address as a struct.
    byte[] toStruct() {
        return ByteBuffer.allocate(STRUCT_BYTES)
                .putInt(lid)
                .putInt(outstandingReads)
                .putInt(queuePairNumber)
                .putInt(packetSequenceNumber)
                .putInt(remoteKey)
                .putInt(0)
                .putLong(memory)
                .put(gid.toBytes())
                .array();
    }

    /// Returns the message including the terminating zero byte.
    byte[] toMessage() {
        String text = String.format(
                Locale.ROOT,
                "%04x:%04x:%06x:%06x:%08x:%016x:%s:%08x:",
                lid,
                outstandingReads,
                queuePairNumber,
                packetSequenceNumber,
                remoteKey,
                memory,
                HexFormat.ofDelimiter(":").formatHex(gid.toBytes()),
                0);
        return (text + '\0').getBytes(StandardCharsets.US_ASCII);
    }
}

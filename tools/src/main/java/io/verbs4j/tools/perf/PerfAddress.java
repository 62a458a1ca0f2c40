// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.ToolException;
import io.verbs4j.types.Gid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Address of one of a peer's queue pairs and of its memory, as the two programs exchange it.
///
/// On the TCP connection it is the text `LID:READS:QPN:PSN:RKEY:ADDRESS:GID:SRQN:`, all in hexadecimal, the GID as 16 numbers
/// with colons between them, of 108 bytes with the closing zero byte (`KEY_PRINT_FMT_GID` of perftest's
/// perftest_communication.h).
///
/// @param lid its LID, 0 on RoCE
/// @param outstandingReads how many reads and atomics it takes at a time
/// @param queuePairNumber 24 bits
/// @param packetSequenceNumber the first one that it sends
/// @param remoteKey of its memory
/// @param memory address of its memory
/// @param gid its GID
record PerfAddress(
        int lid,
        int outstandingReads,
        int queuePairNumber,
        int packetSequenceNumber,
        int remoteKey,
        long memory,
        Gid gid) {
    /// Length of the message with its closing zero byte.
    static final int MESSAGE_BYTES = 108;
    /// Length of the struct: behind the GID the numbers of a shared receive queue and of a GID, which nobody needs.
    private static final int STRUCT_BYTES = 56;

    /// For a step in which nothing is known yet.
    static final PerfAddress NONE = new PerfAddress(0, 0, 0, 0, 0, 0, Gid.ZERO);

    private static final Pattern MESSAGE =
            Pattern.compile("([0-9a-f]{1,4}):([0-9a-f]{1,8}):([0-9a-f]{1,6}):([0-9a-f]{1,6})"
                    + ":([0-9a-f]{1,8}):([0-9a-f]{1,16}):((?:[0-9a-f]{2}:){16})([0-9a-f]{1,8}):");

    /// Reads a message.
    ///
    /// @throws ToolException if it is something else
    static PerfAddress parse(byte[] message) {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        Matcher fields = MESSAGE.matcher(end < 0 ? text : text.substring(0, end));
        if (!fields.matches()) {
            throw new ToolException(
                    "the peer sent no address but '" + text.replaceAll("[^ -~]", ".") + "'",
                    "is it another test, or something else than perftest at that port?");
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

    /// Reads `struct pingpong_dest` (perftest_resources.h), its numbers in network order, as it goes over RDMA.
    static PerfAddress ofStruct(byte[] struct) {
        var buffer = ByteBuffer.wrap(struct);
        int lid = buffer.getInt();
        int reads = buffer.getInt();
        int number = buffer.getInt() & 0xffffff;
        int psn = buffer.getInt() & 0xffffff;
        int key = buffer.getInt();
        buffer.getInt(); // a hole
        long address = buffer.getLong();
        var gid = new byte[Gid.BYTES];
        buffer.get(gid);
        return new PerfAddress(lid & 0xffff, reads, number, psn, key, address, Gid.of(gid));
    }

    /// Returns the struct.
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

    /// The message, closing zero byte included.
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

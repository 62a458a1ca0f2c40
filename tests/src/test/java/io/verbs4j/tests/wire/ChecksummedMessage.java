// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.tests.support.TestBytes;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/// Messages that identify themselves and contain a checksum: number, length and CRC-32 of the whole message, followed
/// by bytes that depend on the number.
final class ChecksummedMessage {
    private static final int NUMBER = 0;
    private static final int LENGTH = 8;
    private static final int CRC = 12;
    /// Bytes of the shortest one.
    static final int HEAD_BYTES = 16;

    private static final int STOCK_BYTES = 64 * 1024;
    private static final byte[] STOCK = TestBytes.of(4791, STOCK_BYTES);
    private static final MemorySegment STOCK_SEGMENT = MemorySegment.ofArray(STOCK);

    private ChecksummedMessage() {}

    /// Writes a message.
    ///
    /// @param memory memory for it; the rest is unchanged
    static void write(MemorySegment memory, long number, int length) {
        int body = length - HEAD_BYTES;
        MemorySegment.copy(STOCK, start(number, body), memory, JAVA_BYTE, HEAD_BYTES, body);
        memory.set(JAVA_LONG, NUMBER, number);
        memory.set(JAVA_INT, LENGTH, length);
        memory.set(JAVA_INT, CRC, 0);
        memory.set(JAVA_INT, CRC, crc(memory, length));
    }

    /// Reads a message, which must be complete.
    ///
    /// @param length number of received bytes
    /// @return its number
    static long read(MemorySegment memory, int length) {
        long number = memory.get(JAVA_LONG, NUMBER);
        int crc = memory.get(JAVA_INT, CRC);
        memory.set(JAVA_INT, CRC, 0);
        int body = length - HEAD_BYTES;
        if (memory.get(JAVA_INT, LENGTH) != length || crc(memory, length) != crc
                || MemorySegment.mismatch(
                        memory, HEAD_BYTES, length,
                        STOCK_SEGMENT, start(number, body), start(number, body) + (long) body) >= 0) {
            throw new AssertionError("of message " + number + ", which has " + memory.get(JAVA_INT, LENGTH)
                    + " bytes and the checksum " + crc + ", something else has arrived: " + length
                    + " bytes with the checksum " + crc(memory, length));
        }
        return number;
    }

    private static int start(long number, int length) {
        return (int) (number * 31 % (STOCK_BYTES - length));
    }

    private static int crc(MemorySegment memory, int length) {
        var crc = new CRC32();
        crc.update(memory.asSlice(0, length).asByteBuffer());
        return (int) crc.getValue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A pcap file, in either byte order, with microseconds or nanoseconds.
final class PcapFormat implements CaptureFormat {
    private static final int MICROSECONDS = 0xa1b2c3d4;
    static final int NANOSECONDS = 0xa1b23c4d;
    static final int FILE_HEADER_BYTES = 24;
    static final int RECORD_HEADER_BYTES = 16;
    private static final int NANOS_PER_MICRO = 1_000;

    private final CaptureInput input;
    private final ByteOrder order;
    private final int nanosPerFraction;
    private final int linkType;

    /// @param magic the number that the file starts with
    PcapFormat(CaptureInput input, int magic) throws IOException {
        this.input = input;
        order = isMagic(magic) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        nanosPerFraction =
                magic == NANOSECONDS || Integer.reverseBytes(magic) == NANOSECONDS ? 1 : NANOS_PER_MICRO;
        ByteBuffer header = input.header(FILE_HEADER_BYTES - PcapReader.MAGIC_BYTES, order, "file header");
        if (header == null) {
            throw input.broken("ends within a file header");
        }
        linkType = header.getInt(FILE_HEADER_BYTES - 2 * Integer.BYTES) & 0xffff; // the upper half is for checksums
    }

    static boolean knows(int magic) {
        return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS;
    }

    @Override
    public @Nullable CapturedFrame next() throws IOException {
        ByteBuffer record = input.header(RECORD_HEADER_BYTES, order, "record");
        if (record == null) {
            return null;
        }
        long seconds = Integer.toUnsignedLong(record.getInt());
        long fraction = Integer.toUnsignedLong(record.getInt());
        byte[] bytes = input.bytes(Integer.toUnsignedLong(record.getInt()), "frame");
        long original = Integer.toUnsignedLong(record.getInt());
        long time = seconds * PcapReader.NANOS_PER_SECOND + fraction * nanosPerFraction;
        return new CapturedFrame(input.nextNumber(), time, linkType, original, bytes);
    }
}

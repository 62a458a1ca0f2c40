// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Reads a pcap file, in either byte order, with microseconds or nanoseconds (man pcap-savefile(5)). In Java, so that a
/// capture can be shown on a machine without libpcap; Pcap4J's own reader is a binding to that library.
public final class PcapReader implements Closeable {
    private static final int MICROSECONDS = 0xa1b2c3d4;
    static final int NANOSECONDS = 0xa1b23c4d;
    private static final int PCAPNG = 0x0a0d0d0a;
    static final int FILE_HEADER_BYTES = 24;
    static final int RECORD_HEADER_BYTES = 16;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /// More than any capture program's limit; a longer frame means that the file is damaged.
    private static final int LONGEST_FRAME = 1 << 20;

    private final InputStream input;
    private final String name;
    private final ByteOrder order;
    private final int nanosPerFraction;
    private final int linkType;
    private long frames;

    /// @param input closed with this reader
    /// @param name for error messages
    /// @throws IOException if it is not pcap, or cannot be read
    public PcapReader(InputStream input, String name) throws IOException {
        this.input = input;
        this.name = name;
        byte[] header = input.readNBytes(FILE_HEADER_BYTES);
        if (header.length < FILE_HEADER_BYTES) {
            throw new IOException(
                    name + " is not a capture: it has " + header.length + " bytes, and a pcap file's header alone 24");
        }
        var buffer = ByteBuffer.wrap(header);
        int magic = buffer.getInt(0);
        boolean swapped = isPcap(Integer.reverseBytes(magic));
        if (!swapped && !isPcap(magic)) {
            throw notPcap(magic);
        }
        order = swapped ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        buffer.order(order);
        nanosPerFraction = buffer.getInt(0) == NANOSECONDS ? 1 : NANOS_PER_MICRO;
        linkType = buffer.getInt(20) & 0xffff; // the upper half says whether frames carry their checksum
    }

    private static boolean isPcap(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS;
    }

    private IOException notPcap(int magic) {
        return new IOException(
                magic == PCAPNG
                        ? name + " is a pcapng file, not pcap; convert it: editcap -F pcap <in> <out>"
                        : name + " is not a pcap file: it starts with " + RoceOpcode.hex(magic, 8));
    }

    /// Returns what the frames start with (`LINKTYPE_*`).
    public int linkType() {
        return linkType;
    }

    /// The next frame.
    ///
    /// @return null at the end
    /// @throws IOException if the file is damaged, or cannot be read
    public @Nullable CapturedFrame next() throws IOException {
        byte[] header = input.readNBytes(RECORD_HEADER_BYTES);
        if (header.length == 0) {
            return null;
        }
        if (header.length < RECORD_HEADER_BYTES) {
            throw broken("ends within a record");
        }
        var record = ByteBuffer.wrap(header).order(order);
        long seconds = record.getInt() & 0xffff_ffffL;
        long fraction = record.getInt() & 0xffff_ffffL;
        int captured = record.getInt();
        int original = record.getInt();
        if (captured < 0 || captured > LONGEST_FRAME) {
            throw broken("is damaged: a frame of " + (captured & 0xffff_ffffL) + " bytes");
        }
        byte[] bytes = input.readNBytes(captured);
        if (bytes.length < captured) {
            throw broken("ends within a frame");
        }
        frames++;
        return new CapturedFrame(frames, seconds * NANOS_PER_SECOND + fraction * nanosPerFraction, original, bytes);
    }

    private IOException broken(String what) {
        return new IOException(name + " " + what + ", after " + frames + " frames");
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Writes Ethernet frames as a pcap file with nanoseconds. [PcapReader], tcpdump and Wireshark read such files.
public final class PcapWriter implements AutoCloseable {
    private static final short MAJOR_VERSION = 2;
    private static final short MINOR_VERSION = 4;
    /// The longest frame that libpcap accepts.
    private static final int MAX_FRAME = 262_144;

    private final OutputStream output;

    /// Writes the file header.
    ///
    /// @param output closed with this writer
    public PcapWriter(OutputStream output) throws IOException {
        this.output = output;
        output.write(ByteBuffer.allocate(PcapFormat.FILE_HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(PcapFormat.NANOSECONDS)
                .putShort(MAJOR_VERSION)
                .putShort(MINOR_VERSION)
                .putLong(0) // time zone and precision, which are unused
                .putInt(MAX_FRAME)
                .putInt(LinkTypes.ETHERNET)
                .array());
        output.flush();
    }

    /// Writes one frame, and passes it to the operating system before this method returns, so that another program can
    /// read the frame. The format has no unknown time, so [CapturedFrame#NO_TIME] becomes the time 0.
    ///
    /// @throws IllegalArgumentException if the frame does not start with an Ethernet header
    public void write(CapturedFrame frame) throws IOException {
        if (frame.linkType() != LinkTypes.ETHERNET) {
            throw new IllegalArgumentException(
                    "frame " + frame.number() + " is not an Ethernet frame: its link type is " + frame.linkType());
        }
        long time = frame.nanoseconds() == CapturedFrame.NO_TIME ? 0 : frame.nanoseconds();
        output.write(ByteBuffer.allocate(PcapFormat.RECORD_HEADER_BYTES + frame.bytes().length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) (time / PcapReader.NANOS_PER_SECOND))
                .putInt((int) (time % PcapReader.NANOS_PER_SECOND))
                .putInt(frame.bytes().length)
                .putInt((int) frame.originalLength())
                .put(frame.bytes())
                .array());
        output.flush();
    }

    @Override
    public void close() throws IOException {
        output.close();
    }
}

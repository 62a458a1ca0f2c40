// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads a capture file in pcap format (man pcap-savefile(5)) or pcapng format (draft-ietf-opsawg-pcapng), as written
/// by tcpdump, tshark and Wireshark. Needs no libpcap.
public final class PcapReader implements Closeable {
    static final int MAGIC_BYTES = 4;
    static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final InputStream input;
    private final CaptureFormat format;

    /// @param input closed with this reader
    /// @param name the file's name for error messages
    /// @throws IOException if the input is neither pcap nor pcapng, or cannot be read
    public PcapReader(InputStream input, String name) throws IOException {
        this.input = input;
        byte[] bytes = input.readNBytes(MAGIC_BYTES);
        if (bytes.length < MAGIC_BYTES) {
            throw new IOException(name + " is not a capture: it has " + bytes.length + " bytes");
        }
        int magic = ByteBuffer.wrap(bytes).getInt();
        var source = new CaptureInput(input, name);
        if (magic == PcapngFormat.MAGIC) {
            format = new PcapngFormat(source);
        } else if (PcapFormat.knows(magic)) {
            format = new PcapFormat(source, magic);
        } else {
            throw new IOException(
                    name + " is not a pcap or pcapng file: it starts with " + RoceOpcode.hex(magic, 8));
        }
    }

    /// Returns the next frame.
    ///
    /// @return null at the end
    /// @throws IOException if the file is damaged, or cannot be read
    public @Nullable CapturedFrame next() throws IOException {
        return format.next();
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}

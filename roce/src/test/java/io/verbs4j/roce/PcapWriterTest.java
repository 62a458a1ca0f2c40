// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Compares every byte of a capture with pcap's format with nanoseconds (pcap-savefile(5)).
class PcapWriterTest {
    @Test
    void writesEachByteOfBothHeaders() throws IOException {
        var written = new ByteArrayOutputStream();
        try (var writer = new PcapWriter(written)) {
            writer.write(new CapturedFrame(1, 3_000_000_005L, 100, new byte[]{7, 8, 9}));
        }
        assertThat(HexFormat.ofDelimiter(" ").formatHex(written.toByteArray())).isEqualTo(
                "4d 3c b2 a1 02 00 04 00 00 00 00 00 00 00 00 00 00 00 04 00 01 00 00 00 " // the file
                        + "03 00 00 00 05 00 00 00 03 00 00 00 64 00 00 00 07 08 09"); // the frame
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
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

    /// Otherwise, the fraction of the second would be above a second, and readers would reject the file.
    @Test
    void anUnknownTimeIsWrittenAsZero() throws IOException {
        var written = new ByteArrayOutputStream();
        try (var writer = new PcapWriter(written)) {
            writer.write(new CapturedFrame(1, CapturedFrame.NO_TIME, 1, new byte[1]));
        }
        try (var reader = new PcapReader(new ByteArrayInputStream(written.toByteArray()), "written")) {
            assertThat(Objects.requireNonNull(reader.next()).nanoseconds()).isZero();
        }
    }

    /// The header of the file declares one link type for all frames.
    @Test
    void framesWithoutAnEthernetHeaderAreRefused() throws IOException {
        var written = new ByteArrayOutputStream();
        try (var writer = new PcapWriter(written)) {
            int header = written.size();
            var frame = new CapturedFrame(7, 0, LinkTypes.LINUX_COOKED, 1, new byte[1]);
            assertThatIllegalArgumentException().isThrownBy(() -> writer.write(frame))
                    .withMessage("frame 7 is not an Ethernet frame: its link type is 113");
            assertThat(written.size()).isEqualTo(header);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.PcapWriter;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares the output of `verbs packets`, as lines and as JSON, with the recorded output ([Recording]), for each
/// packet of [EveryPacket].
class RecordedPacketsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tools/packets/every-packet.txt");

    @TempDir private Path folder;

    @Test
    void eachPacketIsShownAsRecorded() throws IOException, DamagedPacketException {
        Path capture = folder.resolve("every.pcap");
        try (var writer = new PcapWriter(Files.newOutputStream(capture))) {
            for (CapturedFrame frame : EveryPacket.frames()) {
                writer.write(frame);
            }
        }

        List<String> printed = Stream.of("-v", "--json").flatMap(option -> run(capture, option)).toList();

        Recording.compare(FILE, printed);
    }

    private static Stream<String> run(Path capture, String option) {
        var out = new StringWriter();
        String[] words = {"packets", capture.toString(), option};
        int code = Main.commandLine(words).setOut(new PrintWriter(out, true)).execute(words);
        assertThat(code).isZero();
        return out.toString().lines();
    }
}

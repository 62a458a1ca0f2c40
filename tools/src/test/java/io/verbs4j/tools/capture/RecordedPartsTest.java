// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tools.packets.EveryPacket;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares the trace fields of each header and message of [EveryPacket] with the recorded fields ([Recording]).
class RecordedPartsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tools/capture/every-part.txt");

    @Test
    void eachHeaderIsDescribedAsRecorded() throws IOException, DamagedPacketException {
        var lines = new ArrayList<String>();
        var shown = new HashSet<String>();
        for (CapturedFrame frame : EveryPacket.frames()) {
            var packet = (RoceFrame) FrameDecoder.decode(frame);
            lines.add(PacketParts.name(packet.packet()) + ": " + PacketParts.line(packet));
            if (!PacketParts.refusal(packet).isEmpty()) {
                lines.add("  " + PacketParts.refusal(packet));
            }
            for (TracePart part : PacketParts.of(packet)) {
                assertThat(part.isExplained()).as(part.title()).isTrue();
                if (shown.add(part.title() + part.struct()) || part.title().equals("end")) {
                    show(part, lines);
                }
            }
        }
        Recording.compare(FILE, lines);
    }

    private static void show(TracePart part, List<String> lines) {
        lines.add("  " + part.title() + " " + part.struct() + " " + part.direction() + " " + part.bytes().length
                + " bytes at " + part.address());
        for (TraceField field : part.fields()) {
            lines.add("    " + field);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketFilterTest {
    private static final RoceV2Packet ACKNOWLEDGE = packet(0x11, 0x12, new Aeth(0x1f, 1));
    private static final RoceV2Packet DATAGRAM = packet(0x64, 0x13, new Deth(0x11111111, 0x12));

    private static RoceV2Packet packet(int opcode, int queuePair, RoceHeader extension) {
        return new RoceV2Packet.Builder()
                .bth(new Bth(
                        new RoceOpcode(opcode), false, false, 0, 0, 0xffff, false, false, queuePair, false, 0))
                .extensions(extension)
                .build();
    }

    @Test
    void withoutAnyConditionEverythingIsWanted() {
        assertThat(new PacketFilter(List.of(), List.of()).wants(ACKNOWLEDGE)).isTrue();
    }

    @Test
    void queuePairIsTheReceiversOrADatagramsSenders() {
        assertThat(new PacketFilter(List.of(0x12), List.of()).wants(ACKNOWLEDGE)).isTrue();
        assertThat(new PacketFilter(List.of(0x12), List.of()).wants(DATAGRAM)).isTrue();
        assertThat(new PacketFilter(List.of(0x13), List.of()).wants(DATAGRAM)).isTrue();
        assertThat(new PacketFilter(List.of(0x13, 0x14), List.of()).wants(ACKNOWLEDGE)).isFalse();
    }

    @Test
    void opcodeIsAPartOfTheNameOrTheNumber() {
        assertThat(new PacketFilter(List.of(), List.of("ackn")).wants(ACKNOWLEDGE)).isTrue();
        assertThat(new PacketFilter(List.of(), List.of("ud ", "0x11")).wants(ACKNOWLEDGE)).isTrue();
        assertThat(new PacketFilter(List.of(), List.of("UD send")).wants(DATAGRAM)).isTrue();
        assertThat(new PacketFilter(List.of(), List.of("17")).wants(DATAGRAM)).isFalse();
    }

    @Test
    void bothConditionsMustHold() {
        assertThat(new PacketFilter(List.of(0x12), List.of("ud")).wants(ACKNOWLEDGE)).isFalse();
        assertThat(new PacketFilter(List.of(0x12), List.of("ud")).wants(DATAGRAM)).isTrue();
    }
}

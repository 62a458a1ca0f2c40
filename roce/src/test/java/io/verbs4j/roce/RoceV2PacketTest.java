// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.RoceHeadersTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoceV2PacketTest {
    private static final String SEND_BTH = "04 70 ffff 00 000011 80 c3c5a4";

    @Test
    void payloadPaddingAndCrcAreSeparated() throws DamagedPacketException {
        byte[] raw = bytes(SEND_BTH + "41 000000 78563412");

        RoceV2Packet packet = RoceV2Packet.parse(raw, 0, raw.length);

        assertThat(packet.bth().opcode()).isEqualTo(RoceOpcode.RC_SEND_ONLY);
        assertThat(packet.payloadLength()).isEqualTo(1);
        assertThat(packet.payload()).containsExactly('A');
        assertThat(packet.icrc()).isEqualTo(0x12345678);
        assertThat(packet.bytes()).isEqualTo(raw);
    }

    @Test
    void extensionHeadersAreReadByOpcode() throws DamagedPacketException {
        byte[] raw = bytes(
                "0b 40 ffff 00 000011 80 c3c5a4  0000000000001000 00000663 00000004  deadbeef  01020304 00000000");

        RoceV2Packet packet = RoceV2Packet.parse(raw, 0, raw.length);

        assertThat(packet.extensions())
                .containsExactly(new Reth(0x1000, 0x663, 4), new ImmDt(0xdeadbeef));
        assertThat(packet.extension(ImmDt.class)).contains(new ImmDt(0xdeadbeef));
        assertThat(packet.extension(Aeth.class)).isEmpty();
        assertThat(packet.payloadLength()).isEqualTo(4);
        assertThat(packet.bytes()).isEqualTo(raw);
    }

    @Test
    void packetIsFoundWithinALargerArray() throws DamagedPacketException {
        byte[] ack = bytes("11 40 ffff 00 000011 00 c3c5a4 1f000001 11223344");
        byte[] raw = new byte[ack.length + 9];
        System.arraycopy(ack, 0, raw, 5, ack.length);

        RoceV2Packet packet = RoceV2Packet.parse(raw, 5, ack.length);

        assertThat(packet.extension(Aeth.class)).contains(new Aeth(0x1f, 1));
        assertThat(packet.payload()).isEmpty();
        assertThat(packet.bytes()).isEqualTo(ack);
    }

    @Test
    void unknownOpcodeKeepsItsBytesAsPayload() throws DamagedPacketException {
        byte[] raw = bytes("ff 40 ffff 00 000011 00 c3c5a4 0102030405060708 00000000");

        assertThat(RoceV2Packet.parse(raw, 0, raw.length).payloadLength()).isEqualTo(8);
    }

    @Test
    void shortPacketsAreRefused() {
        assertRefused(bytes(SEND_BTH + "000000"), "too short for a RoCE packet: length=15");
        assertRefused(bytes("11 40 ffff 00 000011 00 c3c5a4 1f0000 00000000"), "too short for its AETH: length=19");
        assertRefused(bytes(SEND_BTH + "0000 00000000"), "has more padding than payload: padCount=3");
        assertThatThrownBy(() -> RoceV2Packet.parse(bytes(SEND_BTH + "00000000"), 0, 500))
                .isInstanceOf(DamagedPacketException.class)
                .hasMessage("truncated to 16 of 500 bytes of a RoCE packet");
        assertThatThrownBy(() -> RoceV2Packet.parse(new byte[30], 10, 21))
                .hasMessage("truncated to 20 of 21 bytes of a RoCE packet");
    }

    private static void assertRefused(byte[] raw, String message) {
        assertThatThrownBy(() -> RoceV2Packet.parse(raw, 0, raw.length))
                .isInstanceOf(DamagedPacketException.class)
                .hasMessageContaining(message);
    }

    @Test
    void builderMakesWhatTheParserReads() throws DamagedPacketException {
        byte[] raw = bytes(SEND_BTH + "41 000000 78563412");
        RoceV2Packet parsed = RoceV2Packet.parse(raw, 0, raw.length);

        RoceV2Packet built = new RoceV2Packet.Builder()
                .bth(parsed.bth())
                .payload((byte) 'A')
                .icrc(0x12345678)
                .build();

        assertThat(built).isEqualTo(parsed).hasSameHashCodeAs(parsed);
        assertThat(parsed.toBuilder().build()).isEqualTo(parsed);
        assertThat(parsed.toBuilder().icrc(1).build()).isNotEqualTo(parsed);
        assertThat(parsed.toString()).contains("RC Send Only");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceOpcode;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final int ETHERNET_BYTES = 14;
    /// An acknowledgement from 10.9.0.2 to 10.9.0.1, as rxe sends it.
    private static final byte[] ACK = bytes("020000000001 020000000002 0800"
            + "4500 0030 0000 4000 4011 2698 0a090002 0a090001" + "c121 12b7 001c 0000"
            + "11 40 ffff 00 000011 00 c3c5a4 1f000001 00000000");

    private final FrameDecoder decoder = new FrameDecoder(1);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static CapturedFrame frame(byte... bytes) {
        return new CapturedFrame(1, 0, bytes.length, bytes);
    }

    @Test
    void packetIsFoundInItsFrame() throws DamagedPacketException {
        RoceFrame found = decoder.decode(frame(ACK)).orElseThrow();

        assertThat(found.source().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(found.destination().getHostAddress()).isEqualTo("10.9.0.1");
        assertThat(found.sourcePort()).isEqualTo(0xc121);
        assertThat(found.packet().bth().opcode()).isEqualTo(RoceOpcode.RC_ACKNOWLEDGE);
        assertThat(found.isIntact()).isFalse();
    }

    @Test
    void vlanTagAndEthernetPaddingDoNotDisturb() throws DamagedPacketException {
        byte[] tagged = new byte[ACK.length + 4 + 6];
        System.arraycopy(ACK, 0, tagged, 0, 12);
        System.arraycopy(bytes("8100 0005"), 0, tagged, 12, 4);
        System.arraycopy(ACK, 12, tagged, 16, ACK.length - 12);

        RoceFrame found = decoder.decode(frame(tagged)).orElseThrow();

        assertThat(found.packet()).isEqualTo(decoder.decode(frame(ACK)).orElseThrow().packet());
        assertThat(found.expectedIcrc()).isEqualTo(decoder.decode(frame(ACK)).orElseThrow().expectedIcrc());
    }

    @Test
    void ipPacketWithoutEthernetIsRead() throws DamagedPacketException {
        byte[] ip = Arrays.copyOfRange(ACK, ETHERNET_BYTES, ACK.length);

        assertThat(new FrameDecoder(101).decode(frame(ip))).isPresent();
    }

    @Test
    void otherPortsAndProtocolsAreNotOurs() throws DamagedPacketException {
        byte[] otherPort = ACK.clone();
        otherPort[37]++;
        byte[] tcp = ACK.clone();
        tcp[23] = 6;
        byte[] arp = ACK.clone();
        arp[13] = 6;

        assertThat(decoder.decode(frame(otherPort))).isEmpty();
        assertThat(decoder.decode(frame(tcp))).isEmpty();
        assertThat(decoder.decode(frame(arp))).isEmpty();
    }

    /// Found by `tools/fuzz`.
    @Test
    void optionsOfAnImpossibleLengthAreNotOurs() throws DamagedPacketException {
        byte[] ip = bytes("45003000003000004000000030004000401100000a00004000c00000090009010000000000000004"
                + "00000000000000650028000000000000000000000000000000000035000000000000010000000000"
                + "00000000000000000000000000f7ff110000c00aed027009005bb7004031ff");

        assertThat(new FrameDecoder(101).decode(frame(ip))).isEmpty();
    }

    @Test
    void unknownLinkTypeIsRefused() {
        assertThatThrownBy(() -> new FrameDecoder(276))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("frames of link type 276 are not known here");
    }

    @Test
    void cutAndDamagedPacketsAreReported() {
        byte[] start = Arrays.copyOf(ACK, 50);
        byte[] shortUdp = ACK.clone();
        shortUdp[39] = 20;

        assertThatThrownBy(() -> decoder.decode(new CapturedFrame(1, 0, ACK.length, start)))
                .isInstanceOf(DamagedPacketException.class)
                .hasMessage("cut to 50 of 62 bytes by the capture");
        assertThatThrownBy(() -> decoder.decode(frame(shortUdp)))
                .isInstanceOf(DamagedPacketException.class)
                .hasMessageStartingWith("too short for a RoCE v2 packet");
    }

    @Test
    void noBytesWhateverMakeItFail() {
        var random = new Random(4791);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = Arrays.copyOf(ACK, random.nextInt(ACK.length + 8));
            for (int change = random.nextInt(4); change > 0 && bytes.length > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                decoder.decode(frame(bytes)).ifPresent(found -> assertThat(found.toString()).isNotEmpty());
            } catch (DamagedPacketException e) {
                assertThat(e).hasMessageMatching("(cut|too short|pads).*");
            }
        }
    }
}

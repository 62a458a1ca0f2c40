// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reads two files that other programs have written. mergecap 4.0.17 made `two-interfaces.pcapng` from an Ethernet
/// capture with nanoseconds and a capture of tcpdump 4.99.3 on `any`. `editcap -s 60 -F pcapng` made `snap60.pcapng`.
/// The tests build the features that these programs do not write.
class PcapngReaderTest {
    private static final int INTERFACE = 1;
    private static final int OLD_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int NAME_RESOLUTION = 4;
    private static final int ENHANCED_PACKET = 6;

    static Stream<ByteOrder> orders() {
        return Stream.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN);
    }

    private static List<CapturedFrame> frames(byte[] file) throws IOException {
        var frames = new ArrayList<CapturedFrame>();
        try (var reader = new PcapReader(new ByteArrayInputStream(file), "wire.pcapng")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                frames.add(frame);
            }
        }
        return frames;
    }

    private static byte[] resource(String name) throws IOException {
        try (var stream = PcapngReaderTest.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    @Test
    void interfacesHaveTheirOwnLinkTypesAndClocks() throws IOException {
        List<CapturedFrame> frames = frames(resource("two-interfaces.pcapng"));

        assertThat(frames).extracting(CapturedFrame::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(frames).extracting(CapturedFrame::linkType)
                .containsExactly(
                        LinkTypes.ETHERNET, LinkTypes.ETHERNET, LinkTypes.LINUX_COOKED_2, LinkTypes.LINUX_COOKED_2);
        assertThat(frames).extracting(CapturedFrame::nanoseconds)
                .containsExactly(
                        1_795_176_940_923_271_789L, 15_772_085_789L, 1_795_685_395_238_193_000L,
                        1_795_685_395_238_341_000L);
        assertThat(frames.stream().map(FrameDecoder::decode)).allMatch(RoceFrame.class::isInstance);
    }

    @Test
    void cutFramesKnowTheirLength() throws IOException {
        CapturedFrame frame = frames(resource("snap60.pcapng")).getFirst();

        assertThat(frame.bytes()).hasSize(60);
        assertThat(frame.originalLength()).isEqualTo(186);
        assertThat(frame.isCut()).isTrue();
    }

    /// A file of blocks that a test writes.
    private static final class File {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final ByteOrder order;

        File(ByteOrder order) {
            this.order = order;
            section(order);
        }

        private void section(ByteOrder its) {
            block(0x0a0d0d0a,
                    ByteBuffer.allocate(16)
                            .order(its)
                            .putInt(0x1a2b3c4d)
                            .putShort((short) 1)
                            .putShort((short) 0)
                            .putLong(-1),
                    its);
        }

        /// @param option number of an option; 0 for none
        File networkInterface(int linkType, int snapLength, int option, byte... value) {
            ByteBuffer body = ByteBuffer.allocate(28)
                    .order(order)
                    .putShort((short) linkType)
                    .putShort((short) 0)
                    .putInt(snapLength);
            if (option != 0) {
                body.putShort((short) option).putShort((short) value.length).put(value);
                body.position(body.position() + (-value.length & 3));
            }
            return block(INTERFACE, body.putShort((short) 0).putShort((short) 0).limit(body.position()));
        }

        File packet(int type, int from, long time, int original, byte... frame) {
            ByteBuffer body = ByteBuffer.allocate(24 + frame.length).order(order);
            if (type == OLD_PACKET) {
                body.putShort((short) from).putShort((short) 3);
            } else {
                body.putInt(from);
            }
            body.putInt((int) (time >>> 32)).putInt((int) time).putInt(frame.length).putInt(original).put(frame);
            return block(type, body.limit(body.position()));
        }

        File simple(int original, byte... frame) {
            ByteBuffer body = ByteBuffer.allocate(4 + frame.length).order(order).putInt(original).put(frame);
            return block(SIMPLE_PACKET, body);
        }

        File block(int type, ByteBuffer body) {
            return block(type, body, order);
        }

        private File block(int type, ByteBuffer body, ByteOrder its) {
            byte[] content = Arrays.copyOf(body.array(), (body.limit() + 3) / 4 * 4);
            int length = content.length + 12;
            bytes.writeBytes(ByteBuffer.allocate(length)
                    .order(its)
                    .putInt(type)
                    .putInt(length)
                    .put(content)
                    .putInt(length)
                    .array());
            return this;
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }

    @ParameterizedTest
    @MethodSource("orders")
    void allKindsOfPacketBlocksAreRead(ByteOrder order) throws IOException {
        List<CapturedFrame> frames = frames(new File(order)
                .block(NAME_RESOLUTION, ByteBuffer.allocate(8))
                .block(NAME_RESOLUTION, ByteBuffer.allocate(0))
                .networkInterface(1, 3, 0)
                .networkInterface(101, 0, 0)
                .packet(ENHANCED_PACKET, 1, 7_000_005, 60, (byte) 1, (byte) 2, (byte) 3)
                .packet(OLD_PACKET, 0, 8_000_006, 2, (byte) 4, (byte) 5)
                .simple(9, (byte) 6, (byte) 7, (byte) 8, (byte) 9)
                .bytes());

        assertThat(frames).hasSize(3);
        assertThat(frames.get(0).linkType()).isEqualTo(LinkTypes.RAW_IP);
        assertThat(frames.get(0).nanoseconds()).isEqualTo(7_000_005_000L);
        assertThat(frames.get(0).originalLength()).isEqualTo(60);
        assertThat(frames.get(0).bytes()).containsExactly(1, 2, 3);
        assertThat(frames.get(1).nanoseconds()).isEqualTo(8_000_006_000L);
        assertThat(frames.get(1).bytes()).containsExactly(4, 5);
        assertThat(frames.get(1).isCut()).isFalse();
        assertThat(frames.get(2).nanoseconds()).isEqualTo(CapturedFrame.NO_TIME);
        assertThat(frames.get(2).originalLength()).isEqualTo(9);
        assertThat(frames.get(2).bytes()).as("as many as the interface's snap length").containsExactly(6, 7, 8);
        assertThat(frames.get(2).linkType()).isEqualTo(LinkTypes.ETHERNET);
        assertThat(frames(new File(order).networkInterface(1, 0, 0).simple(2, (byte) 6, (byte) 7).bytes())
                .getFirst()
                .bytes()).containsExactly(6, 7);
    }

    @Test
    void clocksCountInTheirOwnUnitsAndFromTheirOwnBeginning() throws IOException {
        List<CapturedFrame> frames = frames(new File(ByteOrder.BIG_ENDIAN)
                .networkInterface(1, 0, 9, (byte) 9)
                .networkInterface(1, 0, 9, (byte) 0x8a)
                .networkInterface(1, 0, 9, (byte) 0)
                .networkInterface(1, 0, 14, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1,
                        (byte) -2)
                .packet(ENHANCED_PACKET, 0, 1_795_176_940_923_271_789L, 0)
                .packet(ENHANCED_PACKET, 1, 1536, 0)
                .packet(ENHANCED_PACKET, 2, 3, 0)
                .packet(ENHANCED_PACKET, 3, 1_000_000, 0)
                .packet(ENHANCED_PACKET, 2, 10_000_000_000L, 0)
                .bytes());

        assertThat(frames).extracting(CapturedFrame::nanoseconds)
                .containsExactly(
                        1_795_176_940_923_271_789L, 1_500_000_000L, 3_000_000_000L, -1_000_000_000L,
                        CapturedFrame.NO_TIME);
    }

    /// Values are padded to 4 bytes, and the end of the block may be the end of the list.
    @Test
    void anInterfaceMayHaveSeveralOptions() throws IOException {
        ByteBuffer body = ByteBuffer.allocate(28)
                .putInt(1 << 16)
                .putInt(0)
                .putInt(9 << 16 | 1) // resolution: milliseconds
                .putInt(3 << 24)
                .putInt(14 << 16 | 8) // offset
                .putLong(5);
        assertThat(frames(
                new File(ByteOrder.BIG_ENDIAN).block(INTERFACE, body).packet(ENHANCED_PACKET, 0, 7, 0).bytes()))
                .extracting(CapturedFrame::nanoseconds)
                .containsExactly(5_007_000_000L);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aSectionHasItsOwnByteOrderAndInterfaces(ByteOrder first) throws IOException {
        ByteOrder second = first == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        var file = new ByteArrayOutputStream();
        file.writeBytes(new File(first).networkInterface(1, 0, 0).packet(ENHANCED_PACKET, 0, 1, 0).bytes());
        file.writeBytes(new File(second).networkInterface(113, 0, 0).packet(ENHANCED_PACKET, 0, 2, 0).bytes());

        assertThat(frames(file.toByteArray())).extracting(CapturedFrame::linkType).containsExactly(1, 113);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void damagedFilesAreRefusedWithTheirName(ByteOrder order) {
        byte[] whole = new File(order).networkInterface(1, 0, 0).packet(ENHANCED_PACKET, 0, 1, 0, (byte) 1).bytes();
        for (int length = 5; length < whole.length; length++) {
            if (length != 28 && length != 28 + 24) { // the ends of blocks
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> frames(cut)).isInstanceOf(IOException.class)
                        .hasMessageMatching("wire.pcapng ends within a (block|section header), after [01] frames?");
            }
        }
        assertDamaged(new File(order).packet(ENHANCED_PACKET, 0, 1, 0).bytes(), "a frame of interface 0, which is not");
        assertDamaged(new File(order).networkInterface(1, 0, 0).block(ENHANCED_PACKET, ByteBuffer.allocate(8)).bytes(),
                "a block of type 6 with 8 bytes");
        byte[] lengths = whole.clone();
        lengths[whole.length - 2] ^= 4;
        assertDamaged(lengths, "the two lengths of a block differ");
        byte[] huge = whole.clone();
        huge[28 + 24 + (order == ByteOrder.BIG_ENDIAN ? 4 : 7)] = (byte) 0x80;
        assertDamaged(huge, "a block of 21474836");
        for (int length : new int[]{8, 13}) {
            byte[] odd = whole.clone();
            ByteBuffer.wrap(odd).order(order).putInt(28 + 4, length);
            assertDamaged(odd, "a block of " + length + " bytes");
        }
        byte[] section = whole.clone();
        ByteBuffer.wrap(section).putInt(8, 0x0a0b0c0d);
        assertDamaged(section, "a section of byte order 0x0a0b0c0d");
        ByteBuffer.wrap(section).order(order).putInt(8, 0x1a2b3c4d).putInt(4, 24);
        assertDamaged(section, "a section header of 24 bytes");
    }

    private static void assertDamaged(byte[] file, String message) {
        assertThatThrownBy(() -> frames(file)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("wire.pcapng is damaged: ")
                .hasMessageContaining(message);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PcapReaderTest {
    private static final int MICROSECONDS = 0xa1b2c3d4;
    private static final int NANOSECONDS = 0xa1b23c4d;

    private static byte[] capture(ByteOrder order, int magic, int linkType) {
        return ByteBuffer.allocate(24 + 16 + 3)
                .order(order)
                .putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(linkType)
                .putInt(7)
                .putInt(5)
                .putInt(3)
                .putInt(60)
                .put(new byte[]{1, 2, 3})
                .array();
    }

    private static PcapReader reader(byte... bytes) throws IOException {
        return new PcapReader(new ByteArrayInputStream(bytes), "wire.pcap");
    }

    @Test
    void bothByteOrdersAndBothResolutionsAreRead() throws IOException {
        for (ByteOrder order : new ByteOrder[]{ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            try (
                    var micro = reader(capture(order, MICROSECONDS, 1));
                    var nano = reader(capture(order, NANOSECONDS, 0x1000_0071))) {
                CapturedFrame frame = Objects.requireNonNull(micro.next());
                assertThat(frame.nanoseconds()).isEqualTo(7_000_005_000L);
                assertThat(frame.bytes()).containsExactly(1, 2, 3);
                assertThat(frame.number()).isEqualTo(1);
                assertThat(frame.isCut()).isTrue();
                assertThat(micro.next()).isNull();
                assertThat(frame.linkType()).isEqualTo(LinkTypes.ETHERNET);
                CapturedFrame same = Objects.requireNonNull(nano.next());
                assertThat(same.nanoseconds()).isEqualTo(7_000_000_005L);
                assertThat(same.linkType()).isEqualTo(LinkTypes.LINUX_COOKED);
            }
        }
    }

    @Test
    void damagedFilesAreRefusedWithTheirName() throws IOException {
        byte[] whole = capture(ByteOrder.LITTLE_ENDIAN, MICROSECONDS, 1);
        try (
                var cut = reader(Arrays.copyOf(whole, whole.length - 1));
                var cutHeader = reader(Arrays.copyOf(whole, 30))) {
            assertRefused(cut::next, "wire.pcap ends within a frame, after 0 frames");
            assertRefused(cutHeader::next, "wire.pcap ends within a record, after 0 frames");
        }
        byte[] huge = whole.clone();
        huge[24 + 11] = (byte) 0x80;
        try (var damaged = reader(huge)) {
            assertRefused(damaged::next, "wire.pcap is damaged: a frame of 2147483651 bytes, after 0 frames");
        }
        byte[] longest = Arrays.copyOf(whole, 24 + 16 + (1 << 20) + 1); // and the beginning of a second record
        longest[24 + 8] = 0;
        longest[24 + 10] = 0x10;
        try (var largest = reader(longest)) {
            assertThat(Objects.requireNonNull(largest.next()).bytes()).hasSize(1 << 20);
            assertThatThrownBy(largest::next).hasMessageEndingWith("after 1 frame");
        }
        longest[24 + 8] = 1;
        try (var larger = reader(longest)) {
            assertRefused(larger::next, "is damaged: a frame of 1048577 bytes");
        }
    }

    @Test
    void otherFilesAreRefused() {
        assertRefused(() -> reader(new byte[0]), "wire.pcap is not a capture: it has 0 bytes");
        assertRefused(() -> reader("this is some text in a file".getBytes(StandardCharsets.US_ASCII)),
                "is not a pcap or pcapng file: it starts with 0x74686973");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(message);
    }
}

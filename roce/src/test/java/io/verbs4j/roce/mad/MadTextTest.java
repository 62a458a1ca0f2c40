// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests the texts of fields, the recognition of connection manager messages, and the equality of messages.
class MadTextTest {
    private static final BitLayout LAYOUT = new BitLayout.Builder()
            .field("small", 15)
            .field("wide", 17)
            .field("gid", 128)
            .field("long", 40 * 8)
            .of(60);

    private static String text(String name, byte... value) {
        Fields fields = Fields.builder(LAYOUT).set(name, value).build();
        return fields.text(LAYOUT.field(name));
    }

    @Test
    void fieldsAreShownByTheirKind() {
        Fields fields = Fields.builder(LAYOUT).set("small", 0x7fff).set("wide", 0xabc).build();
        assertThat(fields.text(LAYOUT.field("small"))).isEqualTo("32767");
        assertThat(fields.text(LAYOUT.field("wide"))).isEqualTo("0x00abc");
        byte[] gid = new byte[16];
        gid[15] = 1;
        assertThat(text("gid", gid)).isEqualTo("0000:0000:0000:0000:0000:0000:0000:0001");
    }

    /// A field of 40 bytes, of which the first `used` are not zero.
    @ParameterizedTest
    @CsvSource({"0, 40 zeros", "1, 07", "31, 07*31", "32, 07*32", "33, 07*32…", "40, 07*32…"})
    void longFieldsAreCut(int used, String expected) {
        byte[] value = new byte[40];
        Arrays.fill(value, 0, used, (byte) 7);
        String[] parts = expected.split("\\*|(?=…)");
        String text = expected.contains("*") ? "07".repeat(Integer.parseInt(parts[1])) : parts[0];
        assertThat(text("long", value)).isEqualTo(expected.endsWith("…") ? text + "…" : text);
    }

    @Test
    void aShorterValueLeavesNothingOfTheLongerOne() {
        byte[] longer = {1, 2, 3};
        byte[] shorter = {7};
        assertThat(Fields.builder(LAYOUT).set("long", longer).set("long", shorter).build())
                .isEqualTo(Fields.builder(LAYOUT).set("long", shorter).build());
    }

    @Test
    void aShortMessageIsRefused() {
        assertThat(Fields.read(LAYOUT, new byte[63], 3).bytes()).hasSize(60);
        assertThatThrownBy(() -> Fields.read(LAYOUT, new byte[63], 4))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("the message has 60 bytes: length=59");
    }

    private static byte[] request() {
        return Mad.of(
                new CmMessage(CmMessageType.DREQ, Fields.builder(CmMessageType.DREQ.layout()).build()), 5).bytes();
    }

    @Test
    void theHeaderNamesTheMessage() {
        byte[] bytes = request();
        assertThat(Arrays.copyOf(bytes, 24))
                .containsExactly(1, 7, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0x15, 0, 0, 0, 0, 0, 0);
        assertThat(Mad.parse(bytes).orElseThrow().message().orElseThrow().type()).isEqualTo(CmMessageType.DREQ);
        for (int changed : new int[]{1, 2, 17}) { // class, version, attribute
            for (int by : new int[]{-1, 1, 64}) {
                byte[] other = request();
                other[changed] += (byte) by;
                Mad mad = Mad.parse(other).orElseThrow();
                assertThat(mad.message().map(CmMessage::type))
                        .as("byte %d", changed)
                        .isEqualTo(changed == 17 ? CmMessageType.of(other[17]) : Optional.empty());
            }
        }
        assertThat(Mad.parse(bytes).orElseThrow().data()).isEqualTo(Arrays.copyOfRange(bytes, 24, 256));
        bytes[1] = 4;
        assertThat(Mad.parse(bytes).orElseThrow()).hasToString("MAD class 4 attribute 0x0015");
    }

    @Test
    void messagesAreEqualByAllTheirBytes() {
        Mad mad = Mad.parse(request()).orElseThrow();
        assertThat(Mad.parse(request()).orElseThrow()).isEqualTo(mad).hasSameHashCodeAs(mad);
        for (int changed = 0; changed < Mad.BYTES; changed++) {
            byte[] other = request();
            other[changed] ^= 1;
            Mad changedMad = Mad.parse(other).orElseThrow();
            assertThat(changedMad).as("byte %d", changed).isNotEqualTo(mad);
            assertThat(changedMad.hashCode()).as("byte %d", changed).isNotEqualTo(mad.hashCode());
        }
        assertThat(mad).isNotEqualTo("a text");
    }

    /// The first byte has the version of the header, the second byte the version of IP.
    @ParameterizedTest
    @CsvSource({"00, 40, true", "00, 60, true", "00, 50, false", "00, 00, false", "01, 40, false", "10, 40, false"})
    void privateDataBeginsWithAddressesIfTheirVersionsAreKnown(String versions, String ip, boolean known) {
        byte[] data = new byte[36];
        data[0] = (byte) Integer.parseInt(versions, 16);
        data[1] = (byte) Integer.parseInt(ip, 16);
        assertThat(IpHeader.of(data).isPresent()).isEqualTo(known);
        assertThat(IpHeader.of(Arrays.copyOf(data, 35))).isEmpty();
    }
}

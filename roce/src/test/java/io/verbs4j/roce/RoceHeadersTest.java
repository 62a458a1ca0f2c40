// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares each header with bytes written by hand from the specification's drawings.
class RoceHeadersTest {
    @Test
    void bthHasEveryFieldAtItsPlace() {
        check(
                "04 f0 ffff c0 123456 80 abcdef",
                new Bth(RoceOpcode.RC_SEND_ONLY, true, true, 3, 0, 0xffff, true, true, 0x123456, true, 0xabcdef),
                Bth::parse);
        check(
                "11 02 0001 00 000011 00 000000",
                new Bth(RoceOpcode.RC_ACKNOWLEDGE, false, false, 0, 2, 1, false, false, 0x11, false, 0),
                Bth::parse);
    }

    @Test
    void bthIgnoresReservedBits() {
        Bth bth = Bth.parse(buffer("04 40 ffff 3f 000011 7f 000001"));

        assertThat(bth.fecn() || bth.becn() || bth.ackRequest()).isFalse();
        assertThat(bth.bytes()).isEqualTo(bytes("04 40 ffff 00 000011 00 000001"));
    }

    /// The greatest value that a field can hold, and a constructor that sets it.
    static Stream<Arguments> fields() {
        var opcode = RoceOpcode.RC_SEND_ONLY;
        return Stream.of(
                field("padCount", 3, i -> new Bth(opcode, false, false, i, 0, 0, false, false, 0, false, 0)),
                field("version", 15, i -> new Bth(opcode, false, false, 0, i, 0, false, false, 0, false, 0)),
                field("pkey", 0xffff, i -> new Bth(opcode, false, false, 0, 0, i, false, false, 0, false, 0)),
                field(
                        "destinationQueuePair", 0xffffff,
                        i -> new Bth(opcode, false, false, 0, 0, 0, false, false, i, false, 0)),
                field(
                        "packetSequenceNumber", 0xffffff,
                        i -> new Bth(opcode, false, false, 0, 0, 0, false, false, 0, false, i)),
                field("syndrome", 0xff, i -> new Aeth(i, 0)),
                field("messageSequenceNumber", 0xffffff, i -> new Aeth(0, i)),
                field("sourceQueuePair", 0xffffff, i -> new Deth(0, i)),
                field("sharedReceiveQueue", 0xffffff, XrcEth::new),
                field("endToEndContext", 0xffffff, Rdeth::new),
                field("placementType", 15, i -> new Feth(i, 0)),
                field("selectivity", 3, i -> new Feth(0, i)),
                field("value", 0xff, RoceOpcode::new));
    }

    private static Arguments field(String name, int max, IntFunction<Record> constructor) {
        return Arguments.of(name, max, constructor);
    }

    @ParameterizedTest
    @MethodSource("fields")
    void fieldsHoldTheirValuesAndNoOthers(String name, int max, IntFunction<Record> constructor) {
        for (int value : new int[]{0, max}) {
            assertThatCode(() -> constructor.apply(value)).doesNotThrowAnyException();
        }
        for (int value : new int[]{-1, max + 1}) {
            assertThatThrownBy(() -> constructor.apply(value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(name + "=" + value + " is not in 0.." + max);
        }
    }

    @Test
    void dethHasQkeyAndSource() {
        check("11111111 00 abcdef", new Deth(0x11111111, 0xabcdef), Deth::parse);
    }

    @Test
    void rethHasAddressKeyAndUnsignedLength() {
        check(
                "fedcba9876543210 89abcdef ffffffff",
                new Reth(0xfedcba9876543210L, 0x89abcdef, 0xffff_ffffL),
                Reth::parse);
    }

    @Test
    void atomicEthHasAllFourFields() {
        check(
                "0000000000001000 00000663 0000000000000001 fffffffffffffffe",
                new AtomicEth(0x1000, 0x663, 1, -2),
                AtomicEth::parse);
    }

    @Test
    void atomicAckEthHasTheOriginalValue() {
        check("8000000000000001", new AtomicAckEth(0x8000000000000001L), AtomicAckEth::parse);
    }

    @Test
    void immDtAndIethHaveOneWord() {
        check("deadbeef", new ImmDt(0xdeadbeef), ImmDt::parse);
        check("00000663", new Ieth(0x663), Ieth::parse);
    }

    @Test
    void headersOfOtherTransportsAreKept() {
        check("00abcdef", new Rdeth(0xabcdef), Rdeth::parse);
        check("00abcdef", new XrcEth(0xabcdef), XrcEth::parse);
        check("0123456789abcdef", new DcEth(0x0123456789abcdefL), DcEth::parse);
        check("0000000000000001 0123456789abcdef", new DcConnectEth(1, 0x0123456789abcdefL), DcConnectEth::parse);
        assertThat(Rdeth.parse(buffer("ff000001"))).isEqualTo(new Rdeth(1));
        assertThat(XrcEth.parse(buffer("ff000001"))).isEqualTo(new XrcEth(1));
        assertThat(Deth.parse(buffer("00000000 ff000001"))).isEqualTo(new Deth(0, 1));
    }

    /// As in Wireshark: DC's first packet has the long header, unless the bit of solicited events is set.
    @Test
    void aBitTellsWhichHeaderConnects() {
        assertThat(Bth.parse(buffer("55 40 ffff 00 000011 00 000001")).following())
                .containsExactly(HeaderKind.DC_ETH, HeaderKind.DC_CONNECT_ETH);
        assertThat(Bth.parse(buffer("55 c0 ffff 00 000011 00 000001")).following())
                .containsExactly(HeaderKind.DC_ETH);
        assertThat(Bth.parse(buffer("11 40 ffff 00 000011 00 000001")).following()).containsExactly(HeaderKind.AETH);
    }

    @Test
    void fethHasPlacementAndSelectivityInItsLowestByte() {
        check("00000012", new Feth(2, 1), Feth::parse);
    }

    @Test
    void aethDistinguishesTheAnswers() {
        check("1f 000102", new Aeth(0x1f, 0x102), Aeth::parse);
        assertThat(new Aeth(0x1f, 1).kind()).isEqualTo(Aeth.Kind.ACK);
        assertThat(new Aeth(0x1f, 1).meaning()).isEqualTo("ACK");
        assertThat(new Aeth(0x2c, 1).meaning()).isEqualTo("RNR NAK, wait 0.64 ms");
        assertThat(new Aeth(0x20, 1).meaning()).isEqualTo("RNR NAK, wait 655.36 ms");
        assertThat(new Aeth(0x60, 1).meaning()).isEqualTo("NAK PSN sequence error");
        assertThat(new Aeth(0x62, 1).meaning()).isEqualTo("NAK remote access error");
        assertThat(new Aeth(0x7f, 1).meaning()).isEqualTo("NAK code 31");
        assertThat(new Aeth(0x45, 1).meaning()).isEqualTo("syndrome 0x45");
        assertThat(new Aeth(0xff, 1).kind()).isEqualTo(Aeth.Kind.RESERVED);
    }

    private static void check(String hex, RoceHeader header, Function<ByteBuffer, ? extends RoceHeader> parser) {
        ByteBuffer buffer = buffer(hex);
        assertThat(parser.apply(buffer)).isEqualTo(header);
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(header.bytes()).isEqualTo(bytes(hex));
    }

    private static ByteBuffer buffer(String hex) {
        return ByteBuffer.wrap(bytes(hex));
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}

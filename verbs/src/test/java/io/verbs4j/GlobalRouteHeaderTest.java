// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Gid;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The two layouts of what stands in front of a datagram.
class GlobalRouteHeaderTest {
    private static final Gid TEN = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0001");
    private static final Gid ELEVEN = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0002");
    /// From 10.9.0.1 to 10.9.0.2, type of service 0x68, time to live 63, with its checksum.
    private static final String IPV4 = "45680044a4ee40003f11823e0a0900010a090002";
    private static final String IPV6_START = "6681234500301140";
    private static final String IPV6 =
            IPV6_START + "fe800000000000000000000000000001" + "fe800000000000000000000000000002";

    private static GlobalRouteHeader read(String hex) {
        return GlobalRouteHeader.read(MemorySegment.ofArray(HexFormat.of().parseHex("ff" + hex)), 1);
    }

    @Test
    void ipv4HeaderStandsBehindTwentyBytesOfNothing() {
        assertThat(read("00".repeat(20) + IPV4))
                .isEqualTo(new GlobalRouteHeader(TEN, ELEVEN, 0, 0x68, 63, true));
    }

    @Test
    void ipv6HeaderIsTheWholeOfIt() {
        assertThat(read(IPV6))
                .isEqualTo(new GlobalRouteHeader(
                        Gid.parse("fe80:0000:0000:0000:0000:0000:0000:0001"),
                        Gid.parse("fe80:0000:0000:0000:0000:0000:0000:0002"),
                        0x12345,
                        0x68,
                        0x40,
                        true));
    }

    @Test
    void nextHeaderIdentifiesRoceV1() {
        assertThat(read(IPV6.replaceFirst("^(.{12})11", "$11b")).overUdp()).isFalse();
    }

    @Test
    void remainsOfAnIpv6HeaderInFrontOfAnIpv4HeaderDoNotCount() {
        assertThat(read(IPV6.substring(0, 40) + IPV4).sourceGid()).isEqualTo(TEN);
    }

    /// The address of the sender holds, from byte 20, what an IPv4 header starts with; but there is no right checksum.
    @Test
    void addressThatLooksLikeAnIpv4HeaderDoesNotCount() {
        String address = "20010db8000000000000000045000001";
        assertThat(read(IPV6_START + address + "20010db8000000000000000000000002").sourceGid())
                .isEqualTo(Gid.ofHex(address));
    }

    /// As rxe leaves it between two queue pairs of one device.
    @Test
    void ipv4HeaderNeedsNoChecksumIfNothingElseIsThere() {
        assertThat(read("00".repeat(20) + IPV4.replace("823e", "0000")).sourceGid()).isEqualTo(TEN);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> read("00".repeat(40)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no IPv6 or IPv4 header at offset=1 of the receive buffer");
        assertThatThrownBy(() -> read("00".repeat(39))).isInstanceOf(IndexOutOfBoundsException.class);
    }
}

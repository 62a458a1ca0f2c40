// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Each code has the word that `ibv_devinfo` of rdma-core 44 prints, misspellings included.
class CodeTextsTest {
    private static String texts(IntFunction<String> text, int... codes) {
        return IntStream.of(codes).mapToObj(text).collect(Collectors.joining(", "));
    }

    @Test
    void codesHaveTheWordsOfTheCProgram() {
        assertThat(texts(code -> CodeTexts.transport(new NodeType(code)), 0, 1, 2, 3, 4, 5, 6, 7, 8, 99)).isEqualTo(
                "invalid transport (-1), InfiniBand (0), InfiniBand (0), InfiniBand (0), iWARP (1), usNIC (2),"
                        + " usNIC UDP (3), unspecified (4), invalid transport (-1), invalid transport (-1)");
        assertThat(texts(code -> CodeTexts.portState(new PortState(code)), 0, 1, 2, 3, 4, 5, 9)).isEqualTo(
                "invalid state, PORT_DOWN, PORT_INIT, PORT_ARMED, PORT_ACTIVE, invalid state, invalid state");
        assertThat(texts(code -> CodeTexts.physicalState(new PhysicalState(code)), 0, 1, 2, 3, 4, 5, 6, 7, 8))
                .isEqualTo("invalid physical state, SLEEP, POLLING, DISABLED, PORT_CONFIGURATION TRAINNING, LINK_UP,"
                        + " LINK_ERROR_RECOVERY, PHY TEST, invalid physical state");
        assertThat(texts(code -> CodeTexts.linkLayer(new LinkLayer(code)), 0, 1, 2, 3)).isEqualTo(
                "Unspecified, InfiniBand, Ethernet, Unknown");
        assertThat(texts(CodeTexts::atomicCapability, 0, 1, 2, 3)).isEqualTo(
                "ATOMIC_NONE, ATOMIC_HCA, ATOMIC_GLOB, invalid atomic capability");
        assertThat(texts(CodeTexts::virtualLanes, 0, 1, 2, 3, 4, 5, 6)).isEqualTo(
                "invalid value, 1, 2, 4, 8, 15, invalid value");
        assertThat(texts(CodeTexts::width, 0, 1, 2, 3, 4, 5, 8, 9, 16, 17)).isEqualTo("invalid width, 1, 4,"
                + " invalid width, 8, invalid width, 12, invalid width, 2, invalid width");
        assertThat(texts(CodeTexts::speed, 0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)).isEqualTo(
                "invalid speed, 2.5 Gbps, 5.0 Gbps, invalid speed, 10.0 Gbps, 10.0 Gbps, 14.0 Gbps, 25.0 Gbps,"
                        + " 50.0 Gbps, 100.0 Gbps, 200.0 Gbps, invalid speed");
        assertThat(CodeTexts.guid(0x0123456789abcdefL)).isEqualTo("0123:4567:89ab:cdef");
        assertThat(CodeTexts.guid(0xfedcba9876543210L)).isEqualTo("fedc:ba98:7654:3210");
        assertThat(CodeTexts.firmware(0xabcd_0010_0021_0043L)).isEqualTo("16.33.67");
        assertThat(CodeTexts.firmware(0xffff_ffff_ffffL)).isEqualTo("65535.65535.65535");
    }
}

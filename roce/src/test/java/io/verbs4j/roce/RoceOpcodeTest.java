// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.HeaderKind.AETH;
import static io.verbs4j.roce.HeaderKind.ATOMIC_ACK_ETH;
import static io.verbs4j.roce.HeaderKind.ATOMIC_ETH;
import static io.verbs4j.roce.HeaderKind.DC_ETH;
import static io.verbs4j.roce.HeaderKind.DETH;
import static io.verbs4j.roce.HeaderKind.FETH;
import static io.verbs4j.roce.HeaderKind.IETH;
import static io.verbs4j.roce.HeaderKind.IMM_DT;
import static io.verbs4j.roce.HeaderKind.RDETH;
import static io.verbs4j.roce.HeaderKind.RETH;
import static io.verbs4j.roce.HeaderKind.XRC_ETH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoceOpcodeTest {
    @ParameterizedTest
    @CsvSource({
            "0x00, RC Send First",
            "0x04, RC Send Only",
            "0x0b, RC RDMA Write Only with Immediate",
            "0x0c, RC RDMA Read Request",
            "0x10, RC RDMA Read Response Only",
            "0x11, RC Acknowledge",
            "0x12, RC Atomic Acknowledge",
            "0x13, RC Compare and Swap",
            "0x14, RC Fetch and Add",
            "0x17, RC Send Only with Invalidate",
            "0x1c, RC Flush",
            "0x1d, RC Atomic Write",
            "0x24, UC Send Only",
            "0x2a, UC RDMA Write Only",
            "0x64, UD Send Only",
            "0x65, UD Send Only with Immediate",
            "0x81, Congestion Notification",
            "0x40, RD/DC Send First",
            "0x4a, RD/DC RDMA Write Only",
            "0x55, RD/DC Resync or Connect",
            "0xa4, XRC Send Only",
            "0xb1, XRC Acknowledge",
            "0xb7, XRC Send Only with Invalidate",
            "0x15, UNKNOWN(0x15)",
            "0x2c, UNKNOWN(0x2c)",
            "0x56, UNKNOWN(0x56)",
            "0x60, UNKNOWN(0x60)",
            "0x80, UNKNOWN(0x80)",
            "0xb5, UNKNOWN(0xb5)",
            "0xd8, UNKNOWN(0xd8)",
            "0xff, UNKNOWN(0xff)"
    })
    void namesAreThoseOfTheField(String value, String name) {
        assertThat(new RoceOpcode(Integer.decode(value))).hasToString(name);
    }

    @Test
    void headersFollowInTheOrderOfTheWire() {
        assertThat(new RoceOpcode(0x04).headers()).isEmpty();
        assertThat(new RoceOpcode(0x05).headers()).containsExactly(IMM_DT);
        assertThat(new RoceOpcode(0x0b).headers()).containsExactly(RETH, IMM_DT);
        assertThat(new RoceOpcode(0x12).headers()).containsExactly(AETH, ATOMIC_ACK_ETH);
        assertThat(new RoceOpcode(0x14).headers()).containsExactly(ATOMIC_ETH);
        assertThat(new RoceOpcode(0x16).headers()).containsExactly(IETH);
        assertThat(new RoceOpcode(0x1c).headers()).containsExactly(FETH, RETH);
        assertThat(new RoceOpcode(0x1d).headers()).containsExactly(RETH);
        assertThat(new RoceOpcode(0x65).headers()).containsExactly(DETH, IMM_DT);
        assertThat(new RoceOpcode(0x44).headers()).containsExactly(DC_ETH, RDETH, DETH);
        assertThat(new RoceOpcode(0x4b).headers()).containsExactly(DC_ETH, RDETH, DETH, RETH, IMM_DT);
        assertThat(new RoceOpcode(0x52).headers()).containsExactly(DC_ETH, RDETH, AETH, ATOMIC_ACK_ETH);
        assertThat(new RoceOpcode(0xa1).headers()).containsExactly(XRC_ETH);
        assertThat(new RoceOpcode(0xac).headers()).containsExactly(XRC_ETH, RETH);
        assertThat(new RoceOpcode(0xad).headers()).containsExactly(AETH);
        assertThat(new RoceOpcode(0xb2).headers()).containsExactly(AETH, ATOMIC_ACK_ETH);
        assertThat(new RoceOpcode(0xae).headers()).isEmpty();
        assertThat(new RoceOpcode(0xb1).headers()).containsExactly(AETH);
        assertThat(new RoceOpcode(0xb3).headers()).containsExactly(XRC_ETH, ATOMIC_ETH);
        assertThat(new RoceOpcode(0xb5).headers()).isEmpty();
    }

    @Test
    void everyByteHasANameAndOnlyNamedOnesAreKnown() {
        assertThat(IntStream.range(0, 256).mapToObj(RoceOpcode::new))
                .allSatisfy(opcode -> assertThat(opcode.known())
                        .isEqualTo(!opcode.toString().startsWith("UNKNOWN(")));
    }
}

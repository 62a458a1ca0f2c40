// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingPongAddressTest {
    /// Holds what `ibv_rc_pingpong -g 1` sent on an rxe device with the address 10.9.0.1 (strace).
    private static final byte[] FROM_C =
            ascii("0000:000011:c3c5a4:00000000000000000000ffff0a090001\0");
    private static final PingPongAddress ADDRESS =
            new PingPongAddress(0, 0x11, 0xc3c5a4, Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0001"));

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void messageIsTheSameAsFromC() {
        assertThat(ADDRESS.toMessage()).isEqualTo(FROM_C).hasSize(PingPongAddress.MESSAGE_BYTES).hasSize(52);
    }

    @Test
    void messageFromCIsRead() {
        assertThat(PingPongAddress.parse(FROM_C)).isEqualTo(ADDRESS);
    }

    @Test
    void fieldsAreHexadecimalWithLeadingZeros() {
        var address = new PingPongAddress(0xabc, 0xfffffe, 1, new Gid(0xfe80000000000000L, 0x0102030405060708L));

        assertThat(address.toMessage()).isEqualTo(ascii("0abc:fffffe:000001:fe800000000000000102030405060708\0"));
        assertThat(PingPongAddress.parse(address.toMessage())).isEqualTo(address);
    }

    @Test
    void absentGidIsZero() {
        PingPongAddress address = PingPongAddress.parse(ascii("0001:000011:000000:00000000000000000000000000000000\0"));

        assertThatThrownBy(address::requireGid).isInstanceOf(ToolException.class).hasMessageContaining("sent no GID");
        ADDRESS.requireGid();
        assertThat(address).hasToString("LID 0x0001, QPN 0x000011, PSN 0x000000, GID ::");
    }

    @Test
    void lineIsThatOfC() {
        assertThat(ADDRESS).hasToString("LID 0x0000, QPN 0x000011, PSN 0xc3c5a4, GID ::ffff:10.9.0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                    "",
                    "0000:000011:c3c5a4:00000000000000000000ffff0a09000\0\0",
                    "0000:000011:c3c5a4:00000000000000000000ffff0a09000g\0",
                    "0000;000011:c3c5a4:00000000000000000000ffff0a090001\0",
                    "0000:1000011:c3c5a:00000000000000000000ffff0a090001\0",
                    "00000:00011:c3c5a4:0000000000000000000ffff0a090001\0"
            })
    void nonsenseIsRefused(String message) {
        assertThatThrownBy(() -> PingPongAddress.parse(Arrays.copyOf(ascii(message), PingPongAddress.MESSAGE_BYTES)))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("instead of a ping-pong address");
    }

    @Test
    void binaryNonsenseIsShownReadably() {
        byte[] message = new byte[PingPongAddress.MESSAGE_BYTES];
        Arrays.fill(message, (byte) 0x1b);

        assertThatThrownBy(() -> PingPongAddress.parse(message)).hasMessageContaining("'" + ".".repeat(52) + "'");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Tests the encoding of rcopy's messages (`struct msg_hdr` of librdmacm's examples/rcopy.c), and the refusal of
/// invalid messages.
class RcopyMessageTest {
    /// A header of 16 bytes and a body of three.
    private static byte[] bytes(int version, int length) {
        return ByteBuffer.allocate(19)
                .order(ByteOrder.nativeOrder())
                .put((byte) version)
                .put((byte) 0xfe)
                .putShort((short) length)
                .putInt(0x1234_5678)
                .putLong(-2)
                .put(new byte[]{7, 8, 9})
                .array();
    }

    private static RcopyMessage read(byte... bytes) throws IOException {
        return RcopyMessage.read(new ByteArrayInputStream(bytes));
    }

    @Test
    void aMessageIsReadAsItIsWritten() throws IOException {
        RcopyMessage message = read(bytes(0, 19));
        assertThat(message).isEqualTo(
                new RcopyMessage(0xfe, 0x1234_5678, -2, ByteBuffer.wrap(new byte[]{7, 8, 9})));
        assertThat(message.encode()).isEqualTo(bytes(0, 19));
        assertThat(read(bytes(0, 16))).isEqualTo(new RcopyMessage(0xfe, 0x1234_5678, -2, ByteBuffer.allocate(0)));
        message.body().get(); // its position does not matter
        assertThat(message.encode()).isEqualTo(bytes(0, 19));
        assertThat(read(Arrays.copyOf(bytes(0, 0xffff), 0xffff)).body().capacity()).isEqualTo(0xffff - 16);
    }

    @Test
    void anAnswerHasTheBitAndTheError() {
        assertThat(new RcopyMessage(RcopyMessage.WRITE, 4, 5, ByteBuffer.allocate(8)).answer(17))
                .isEqualTo(new RcopyMessage(0x83, 17, 5, ByteBuffer.allocate(0)));
        assertThat(new int[]{RcopyMessage.OPEN, RcopyMessage.CLOSE, RcopyMessage.WRITE}).containsExactly(1, 2, 3);
    }

    @Test
    void anEndIsAllowedBetweenMessagesOnly() throws IOException {
        assertThat(RcopyMessage.read(new ByteArrayInputStream(new byte[0]))).isNull();
        for (int length : new int[]{1, 15, 16, 18}) {
            assertThatThrownBy(() -> read(Arrays.copyOf(bytes(0, 19), length)))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the peer ended the stream within a message");
        }
        assertThatThrownBy(() -> read(bytes(1, 19))).isInstanceOf(ToolException.class)
                .hasMessage("invalid version 1 or length 19");
        assertThatThrownBy(() -> read(bytes(0, 15))).hasMessage("invalid version 0 or length 15");
    }
}

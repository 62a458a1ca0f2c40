// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.tools.ToolException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The head of each message of `rcopy`: 16 bytes, in the byte order of the sender, which is little-endian here (`struct msg_hdr`,
/// rcopy.c).
///
/// @param command one of the constants; of an answer with [#ANSWER] added
/// @param length bytes of the whole message, with this head
/// @param data the mode of a file that is opened; of an answer the error number
/// @param id what answers repeat
record RcopyMessage(int command, int length, int data, long id) {
    static final int OPEN = 1;
    static final int CLOSE = 2;
    static final int WRITE = 3;
    static final int ANSWER = 0x80;
    static final int HEAD_BYTES = 16;

    static RcopyMessage read(InputStream input) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(input, HEAD_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        int version = bytes.get();
        var message = new RcopyMessage(
                Byte.toUnsignedInt(bytes.get()), Short.toUnsignedInt(bytes.getShort()), bytes.getInt(),
                bytes.getLong());
        if (version != 0 || message.length < HEAD_BYTES) {
            throw new ToolException(
                    "the peer sent an invalid version " + version + " or length " + message.length,
                    "both sides must be rcopy, on machines of the same byte order");
        }
        return message;
    }

    static byte[] bytes(InputStream input, int count) throws IOException {
        byte[] bytes = new byte[count];
        new DataInputStream(input).readFully(bytes);
        return bytes;
    }

    void write(OutputStream output, byte[] content) throws IOException {
        byte[] bytes = new byte[HEAD_BYTES + content.length];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0)
                .put((byte) command)
                .putShort((short) length)
                .putInt(data)
                .putLong(id)
                .put(content);
        output.write(bytes);
    }

    void answer(OutputStream output, int status) throws IOException {
        new RcopyMessage(command | ANSWER, HEAD_BYTES, status, id).write(output, new byte[0]);
    }
}

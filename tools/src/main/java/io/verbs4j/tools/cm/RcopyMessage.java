// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.ToolException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A message of rcopy: a header of 16 bytes in native byte order, and a body.
///
/// @param command one of the constants, with [#RESPONSE] in an answer
/// @param data an error number or mode
/// @param id repeated in the answer
/// @param body the bytes after the header
record RcopyMessage(int command, int data, long id, ByteBuffer body) {
    static final int OPEN = 1;
    static final int CLOSE = 2;
    static final int WRITE = 3;
    static final int RESPONSE = 0x80;

    private static final int HEADER = 16;

    /// Reads a message.
    ///
    /// @return null at the end of the stream
    static @Nullable RcopyMessage read(InputStream in) throws IOException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length == 0) {
            return null;
        }
        if (header.length < HEADER) {
            throw new EOFException("the peer ended the stream within a message");
        }
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.nativeOrder());
        int version = Byte.toUnsignedInt(fields.get());
        int command = Byte.toUnsignedInt(fields.get());
        int length = Short.toUnsignedInt(fields.getShort());
        if (version != 0 || length < HEADER) {
            throw new ToolException("invalid version " + version + " or length " + length);
        }
        int data = fields.getInt();
        long id = fields.getLong();
        byte[] body = in.readNBytes(length - HEADER);
        if (body.length < length - HEADER) {
            throw new EOFException("the peer ended the stream within a message");
        }
        return new RcopyMessage(command, data, id, ByteBuffer.wrap(body).order(ByteOrder.nativeOrder()));
    }

    /// Returns the answer.
    RcopyMessage answer(int error) {
        return new RcopyMessage(command | RESPONSE, error, id, ByteBuffer.allocate(0));
    }

    /// Returns the encoded message.
    byte[] encode() {
        ByteBuffer all = ByteBuffer.allocate(HEADER + body.capacity()).order(ByteOrder.nativeOrder());
        all.put((byte) 0).put((byte) command).putShort((short) all.capacity()).putInt(data).putLong(id);
        all.put(body.duplicate().clear());
        return all.array();
    }
}

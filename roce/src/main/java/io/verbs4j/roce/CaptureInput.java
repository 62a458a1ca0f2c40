// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The bytes of a capture file. Error messages include the file's name and the last frame's number.
final class CaptureInput {
    /// Exceeds the frame length limit of any capture program. If a frame is longer, the file is damaged.
    private static final long MAX_FRAME = 1 << 20;

    private final InputStream input;
    private final String name;
    private long frames;

    CaptureInput(InputStream input, String name) {
        this.input = input;
        this.name = name;
    }

    /// Returns the number of the next frame.
    long nextNumber() {
        return ++frames;
    }

    /// Reads a header.
    ///
    /// @param what name of the header's owner, for the error
    /// @return null if the file ends before the header
    @Nullable
    ByteBuffer header(int length, ByteOrder order, String what) throws IOException {
        byte[] bytes = input.readNBytes(length);
        if (bytes.length == 0) {
            return null;
        }
        if (bytes.length < length) {
            throw broken("ends within a " + what);
        }
        return ByteBuffer.wrap(bytes).order(order);
    }

    /// Reads the bytes after a header.
    ///
    /// @param length unsigned
    byte[] bytes(long length, String what) throws IOException {
        if (length > MAX_FRAME) {
            throw broken("is damaged: a " + what + " of " + length + " bytes");
        }
        byte[] bytes = input.readNBytes((int) length);
        if (bytes.length < length) {
            throw broken("ends within a " + what);
        }
        return bytes;
    }

    void skip(long length, String what) throws IOException {
        try {
            input.skipNBytes(length);
        } catch (EOFException e) {
            throw broken("ends within a " + what);
        }
    }

    IOException broken(String what) {
        return new IOException(name + " " + what + ", after " + frames + (frames == 1 ? " frame" : " frames"));
    }
}

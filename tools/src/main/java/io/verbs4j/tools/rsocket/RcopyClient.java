// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.tools.ToolException;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// Sends one file.
final class RcopyClient {
    /// `S_IFREG` and read and write for the owner, read for others, of stat(2).
    private static final int MODE = 0x81a4;

    private static final int LARGEST_MESSAGE = 0xffff;
    private static final int UNIT = 8;

    private final InputStream input;
    private final OutputStream output;

    RcopyClient(RdmaSocket socket) {
        this.input = socket.inputStream();
        this.output = socket.outputStream();
    }

    /// Sends a file.
    ///
    /// @return the line that says how fast it went
    String send(Path source, String target) throws IOException {
        byte[] name = target.getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(name, (name.length + UNIT) / UNIT * UNIT);
        if (RcopyMessage.HEAD_BYTES + padded.length > LARGEST_MESSAGE) {
            throw new ToolException("the path has " + name.length + " bytes, which no message can carry");
        }
        try (InputStream file = Files.newInputStream(source)) {
            long bytes = Files.size(source);
            command(RcopyMessage.OPEN, MODE, padded);
            check("open " + target, RcopyMessage.OPEN);
            byte[] size = new byte[Long.BYTES];
            ByteBuffer.wrap(size).order(ByteOrder.LITTLE_ENDIAN).putLong(bytes);
            command(RcopyMessage.WRITE, 0, size);
            long start = System.nanoTime();
            long sent = file.transferTo(output);
            if (sent != bytes) {
                throw new ToolException(source + " has changed its size while it was sent");
            }
            check("write " + target, RcopyMessage.WRITE);
            double micros = (System.nanoTime() - start) / 1e3;
            command(RcopyMessage.CLOSE, 0, new byte[0]);
            check("close " + target, RcopyMessage.CLOSE);
            return String.format(
                    Locale.ROOT, "%d bytes in %.2f seconds = %.2f Gb/sec", bytes, micros / 1e6,
                    bytes * 8 / (1000 * micros));
        }
    }

    private void command(int command, int data, byte[] content) throws IOException {
        new RcopyMessage(command, RcopyMessage.HEAD_BYTES + content.length, data, 0).write(output, content);
    }

    private void check(String operation, int command) throws IOException {
        RcopyMessage answer = RcopyMessage.read(input);
        if (answer.command() != (command | RcopyMessage.ANSWER) || answer.length() != RcopyMessage.HEAD_BYTES) {
            throw new ToolException("the server answers with command 0x" + Integer.toHexString(answer.command()));
        }
        if (answer.data() != 0) {
            throw new ToolException("the server cannot " + operation + ": " + Errno.describe(answer.data()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The sending side of rcopy.
final class RcopyClient {
    private static final int MAX_PATH = 4096;
    private static final int READABLE_BY_ALL = 0100644;
    private static final int PATH_UNIT = 8;
    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final OutputStream out;
    private final PrintWriter console;

    RcopyClient(RdmaStream stream, PrintWriter console) {
        this(stream.inputStream(), stream.outputStream(), console);
    }

    RcopyClient(InputStream in, OutputStream out, PrintWriter console) {
        this.in = in;
        this.out = out;
        this.console = console;
    }

    /// Copies a file.
    void copy(Path source, String target) throws IOException {
        byte[] path = target.getBytes(StandardCharsets.UTF_8);
        if (path.length > MAX_PATH) {
            throw new ToolException("the destination has more than " + MAX_PATH + " bytes");
        }
        // The server truncates its file before it gets the size. Pipes and devices have no size.
        if (Files.exists(source) && !Files.isRegularFile(source)) {
            throw new ToolException(source + " is not a regular file");
        }
        show("opening...");
        long bytes;
        long nanos;
        try (InputStream file = Files.newInputStream(source)) {
            bytes = Files.size(source);
            int room = path.length / PATH_UNIT * PATH_UNIT + PATH_UNIT; // a zero byte at least
            ask(RcopyMessage.OPEN, mode(source), ByteBuffer.allocate(room).put(path));
            show("transferring");
            ByteBuffer size = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(bytes);
            out.write(new RcopyMessage(RcopyMessage.WRITE, 0, 0, size).encode());
            show("...");
            long start = System.nanoTime();
            if (send(file, bytes) < bytes || file.read() >= 0) {
                throw new ToolException(source + " changed its size during the copy");
            }
            awaitAnswer(RcopyMessage.WRITE);
            nanos = System.nanoTime() - start;
        }
        show("closing...");
        ask(RcopyMessage.CLOSE, 0, ByteBuffer.allocate(0));
        show("done\n");
        show(String.format(
                Locale.ROOT,
                "%d bytes in %.2f seconds = %.2f Gb/sec%n",
                bytes,
                nanos / 1e9,
                bytes * 8.0 / Math.max(1, nanos)));
    }

    /// Sends the contents of a file, up to the announced size. The server would take more bytes for a message.
    ///
    /// @return the number of sent bytes
    private long send(InputStream file, long bytes) throws IOException {
        byte[] chunk = new byte[CHUNK];
        long sent = 0;
        while (sent < bytes) {
            int count = file.read(chunk, 0, (int) Math.min(bytes - sent, CHUNK));
            if (count < 0) {
                break;
            }
            out.write(chunk, 0, count);
            sent += count;
        }
        return sent;
    }

    private static int mode(Path source) throws IOException {
        return Files.getAttribute(source, "unix:mode") instanceof Integer mode ? mode : READABLE_BY_ALL;
    }

    private void ask(int command, int data, ByteBuffer body) throws IOException {
        out.write(new RcopyMessage(command, data, 0, body).encode());
        awaitAnswer(command);
    }

    private void awaitAnswer(int command) throws IOException {
        RcopyMessage answer = RcopyMessage.read(in);
        if (answer == null) {
            throw new ToolException("the server ended the stream before it answered");
        }
        if (answer.command() != (command | RcopyMessage.RESPONSE)) {
            throw new ToolException("the server answered another command: " + answer.command());
        }
        if (answer.data() != 0) {
            throw new ToolException("the server refused: " + Errno.describe(answer.data()));
        }
    }

    private void show(String text) {
        console.print(text);
        console.flush();
    }
}

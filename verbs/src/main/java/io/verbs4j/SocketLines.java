// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Exchanges lines, each a word and a text, between two programs over a socket. Limits a line's length, and the wait
/// for it.
final class SocketLines {
    private static final int MAX_CHARACTERS = 128;
    private static final int PRINTABLE_FROM = 0x20;
    private static final int PRINTABLE_TO = 0x7e;
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private final Socket socket;
    private final Duration timeout;
    private final InputStream input;
    private final OutputStream output;

    /// @param socket closed by [#close()], and if this constructor fails
    SocketLines(Socket socket, Duration timeout) {
        this.socket = socket;
        this.timeout = timeout;
        try {
            socket.setTcpNoDelay(true);
            input = new BufferedInputStream(socket.getInputStream());
            output = new BufferedOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            closeQuietly(socket);
            throw failure(Errno.ECONNRESET, String.valueOf(e.getMessage()), e);
        }
    }

    /// Returns a time in the form that sockets accept: at least one millisecond, because 0 means no limit.
    static int milliseconds(Duration time) {
        Duration bounded = time.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : time;
        return (int) Math.max(1, bounded.toMillis());
    }

    void write(String word, String text) {
        try {
            output.write((word + (text.isEmpty() ? "" : " " + text) + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw failure(Errno.ECONNRESET, String.valueOf(e.getMessage()), e);
        }
    }

    void flush() {
        try {
            output.flush();
        } catch (IOException e) {
            throw failure(Errno.ECONNRESET, String.valueOf(e.getMessage()), e);
        }
    }

    /// Reads a line that begins with a word, and returns its parsed remainder.
    ///
    /// @param parser parses the remainder; throws [IllegalArgumentException] to reject it
    <T> T read(String word, Function<String, T> parser) {
        String line = readLine(word);
        int end = line.indexOf(' ');
        String first = end < 0 ? line : line.substring(0, end);
        if (!first.equals(word)) {
            throw misunderstood("sent '" + line + "' where '" + word
                    + "' is expected: both ends must call the same methods in the same order");
        }
        try {
            return parser.apply(end < 0 ? "" : line.substring(end + 1));
        } catch (IllegalArgumentException e) {
            throw misunderstood("sent '" + line + "', which is not valid: " + e.getMessage());
        }
    }

    private String readLine(String expected) {
        var line = new StringBuilder();
        long start = System.nanoTime();
        try {
            while (true) {
                // The timeout covers the whole line: a peer cannot extend it by sending single bytes.
                Duration left = timeout.minusNanos(System.nanoTime() - start);
                if (left.isNegative()) {
                    throw new SocketTimeoutException("the line did not end");
                }
                socket.setSoTimeout(milliseconds(left));
                int next = input.read();
                if (next == '\n') {
                    return line.toString();
                }
                if (next < 0) {
                    throw failure(Errno.ECONNRESET, "the peer closed the connection before it sent '" + expected + "'",
                            null);
                }
                if (next < PRINTABLE_FROM || next > PRINTABLE_TO) {
                    throw misunderstood("sent a byte that is not ASCII text: 0x" + Integer.toHexString(next));
                }
                if (line.length() == MAX_CHARACTERS) {
                    throw misunderstood("sent a line of more than " + MAX_CHARACTERS + " characters: '" + line + "…'");
                }
                line.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            throw failure(Errno.ETIMEDOUT, "the peer did not send '" + expected + "' within " + timeout, e);
        } catch (IOException e) {
            throw failure(Errno.ECONNRESET, String.valueOf(e.getMessage()), e);
        }
    }

    VerbsException misunderstood(String what) {
        return failure(Errno.EPROTO, "the peer " + what, null);
    }

    private VerbsException failure(int errno, String detail, @Nullable IOException cause) {
        var failure = new VerbsException("exchange with " + socket.getRemoteSocketAddress(), errno, detail);
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    void close() {
        closeQuietly(socket);
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // All uses of the socket are complete, or have failed already.
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.types.Errno;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes the files of one client.
final class RcopyServer implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 16;

    private final InputStream input;
    private final OutputStream output;
    private final Consumer<String> print;
    private @Nullable OutputStream file;
    private String path = "";

    RcopyServer(RdmaSocket socket, Consumer<String> print) {
        this.input = socket.inputStream();
        this.output = socket.outputStream();
        this.print = print;
    }

    /// Serves until the client ends the stream or breaks the protocol.
    void run() throws IOException {
        try {
            while (true) {
                RcopyMessage message = RcopyMessage.read(input);
                int status = switch (message.command()) {
                    case RcopyMessage.OPEN -> open(message);
                    case RcopyMessage.WRITE -> write(message);
                    case RcopyMessage.CLOSE -> finish();
                    default -> Errno.EINVAL;
                };
                message.answer(output, status);
            }
        } catch (EOFException e) {
            // The client has all that it wanted.
        }
    }

    private int open(RcopyMessage message) throws IOException {
        byte[] name = RcopyMessage.bytes(input, message.length() - RcopyMessage.HEAD_BYTES);
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        path = new String(name, 0, end, StandardCharsets.UTF_8);
        if (file != null) {
            return Errno.EBUSY;
        }
        try {
            file = Files.newOutputStream(Path.of(path));
            print.accept("opening: " + path);
            return 0;
        } catch (NoSuchFileException e) {
            return refused(Errno.ENOENT);
        } catch (AccessDeniedException e) {
            return refused(Errno.EACCES);
        } catch (InvalidPathException e) {
            return refused(Errno.EINVAL);
        } catch (IOException e) {
            return refused(Errno.EIO);
        }
    }

    private int refused(int status) {
        print.accept("cannot open " + path + ": " + Errno.describe(status));
        return status;
    }

    private int write(RcopyMessage message) throws IOException {
        byte[] content = RcopyMessage.bytes(input, message.length() - RcopyMessage.HEAD_BYTES);
        if (file == null || content.length != Long.BYTES) {
            return Errno.EINVAL;
        }
        long size = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong();
        print.accept("transferring " + Long.toUnsignedString(size) + " bytes");
        int status = 0;
        byte[] block = new byte[BLOCK_BYTES];
        for (long left = size; left != 0;) {
            int read = input.read(block, 0, left < 0 ? BLOCK_BYTES : (int) Math.min(BLOCK_BYTES, left));
            if (read < 0) {
                throw new EOFException("the client ended the stream in the middle of a file");
            }
            left -= read;
            if (status == 0) {
                status = store(block, read);
            }
        }
        return status;
    }

    /// Writes to the file; what follows after a failure is read all the same, for the client to hear of it.
    private int store(byte[] block, int length) {
        OutputStream open = file;
        if (open == null) {
            return Errno.EINVAL;
        }
        try {
            open.write(block, 0, length);
            return 0;
        } catch (IOException e) {
            print.accept("cannot write " + path + ": " + e.getMessage());
            return Errno.ENOSPC;
        }
    }

    private int finish() {
        try {
            close();
            print.accept("closed " + path);
            return 0;
        } catch (IOException e) {
            return Errno.EIO;
        }
    }

    @Override
    public void close() throws IOException {
        OutputStream open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}

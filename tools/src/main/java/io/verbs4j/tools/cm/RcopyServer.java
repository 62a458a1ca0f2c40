// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The receiving side of rcopy, for one client.
final class RcopyServer implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final OutputStream out;
    private final PrintWriter console;
    private @Nullable SeekableByteChannel file;

    RcopyServer(RdmaStream stream, PrintWriter console) {
        this(stream.inputStream(), stream.outputStream(), console);
    }

    RcopyServer(InputStream in, OutputStream out, PrintWriter console) {
        this.in = in;
        this.out = out;
        this.console = console;
    }

    /// Executes the client's commands until the client disconnects or an error occurs.
    void serve() throws IOException {
        int error = 0;
        while (error == 0) {
            RcopyMessage message = RcopyMessage.read(in);
            if (message == null) {
                return;
            }
            error = switch (message.command()) {
                case RcopyMessage.OPEN -> open(message);
                case RcopyMessage.WRITE -> write(message);
                case RcopyMessage.CLOSE -> end();
                default -> Errno.EINVAL;
            };
            out.write(message.answer(error).encode());
        }
    }

    private int open(RcopyMessage message) {
        show("opening: ");
        if (file != null) {
            show("cannot open another file\n");
            return Errno.EBUSY;
        }
        String path = text(message.body().array());
        show(path + ", ");
        try {
            file = Files.newByteChannel(
                    Path.of(path),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                    PosixFilePermissions.asFileAttribute(permissions(message.data())));
            return 0;
        } catch (IOException e) {
            show("unable to open destination file: " + IoFailure.reason(e) + "\n");
            return errno(e);
        } catch (InvalidPathException e) {
            show("unable to open destination file: " + e.getReason() + "\n");
            return Errno.EINVAL;
        }
    }

    private static String text(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int bit = 0400;
        for (PosixFilePermission permission : PosixFilePermission.values()) { // in the order of a mode's bits, from 0400 to 0001
            if ((mode & bit) != 0) {
                permissions.add(permission);
            }
            bit >>= 1;
        }
        return permissions;
    }

    static int errno(IOException e) {
        String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        return switch (e) {
            case NoSuchFileException _ -> Errno.ENOENT;
            case AccessDeniedException _ -> Errno.EACCES;
            default -> switch (reason) {
                case "Is a directory" -> Errno.EISDIR;
                case "Not a directory" -> Errno.ENOTDIR;
                case "Read-only file system" -> Errno.EROFS;
                case "No space left on device" -> Errno.ENOSPC;
                case null, default -> Errno.EIO;
            };
        };
    }

    private int write(RcopyMessage message) throws IOException {
        show("transferring");
        if (file == null) {
            show("...file not opened\n");
            return Errno.EINVAL;
        }
        if (message.body().capacity() != Long.BYTES || message.body().getLong(0) < 0) {
            show("...invalid message\n");
            return Errno.EINVAL;
        }
        long bytes = message.body().getLong(0);
        show("..." + bytes + " bytes...");
        OutputStream target = Channels.newOutputStream(file);
        byte[] chunk = new byte[CHUNK];
        int error = 0;
        for (long left = bytes; left > 0;) {
            int count = in.read(chunk, 0, (int) Math.min(left, CHUNK));
            if (count < 0) {
                show("...error receiving data\n");
                return Errno.EIO;
            }
            left -= count;
            // After a failure, the rest is read all the same: the client reads no answer before it has sent all.
            error = error == 0 ? write(target, chunk, count) : error;
        }
        return error;
    }

    private int write(OutputStream target, byte[] chunk, int count) {
        try {
            target.write(chunk, 0, count);
            return 0;
        } catch (IOException e) {
            show("unable to write: " + IoFailure.reason(e) + "\n");
            return errno(e);
        }
    }

    private int end() throws IOException {
        show("closing...");
        close();
        show("done\n");
        return 0;
    }

    private void show(String text) {
        console.print(text);
        console.flush();
    }

    /// Closes the file, if one is open.
    @Override
    public void close() throws IOException {
        SeekableByteChannel open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}

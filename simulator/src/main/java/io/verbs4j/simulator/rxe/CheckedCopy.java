// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/// Copies between arrays and memory that may be unmapped at any moment. The bytes pass through a pipe, so the operating
/// system accesses the memory. The operating system reports an unmapped address as an error, while an access by the JVM
/// would crash the process. This works on any system, and costs two system calls per copy.
final class CheckedCopy {
    private static @Nullable Pipe pipe;

    private CheckedCopy() {}

    /// Reads memory.
    ///
    /// @param length at most the MTU, which fits into any pipe
    /// @return false if it is not completely mapped
    static boolean read(long address, byte[] to, int at, int length) {
        return pass(Memory.at(address, length).asByteBuffer(), ByteBuffer.wrap(to, at, length));
    }

    /// Writes memory.
    ///
    /// @param length at most the MTU, which fits into any pipe
    /// @return false if it is not completely mapped and writable; a part of it may have been written
    static boolean write(byte[] from, int at, long address, int length) {
        return pass(ByteBuffer.wrap(from, at, length), Memory.at(address, length).asByteBuffer());
    }

    private static synchronized boolean pass(ByteBuffer from, ByteBuffer to) {
        // An interrupt would close the channel.
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    passOnce(from.duplicate(), to.duplicate());
                    return true;
                } catch (ClosedByInterruptException e) {
                    close();
                    interrupted |= Thread.interrupted();
                } catch (IOException e) {
                    close(); // discards the bytes in the pipe
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void passOnce(ByteBuffer from, ByteBuffer to) throws IOException {
        Pipe open = open();
        while (from.hasRemaining()) {
            open.sink().write(from);
        }
        while (to.hasRemaining()) {
            open.source().read(to);
        }
    }

    private static Pipe open() {
        if (pipe == null) {
            try {
                pipe = Pipe.open();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create a pipe to check accesses to registered memory", e);
            }
        }
        return pipe;
    }

    private static void close() {
        Pipe old = pipe;
        pipe = null;
        if (old != null) {
            try (Pipe.SinkChannel _ = old.sink(); Pipe.SourceChannel _ = old.source()) {
                // both are closed
            } catch (IOException e) {
                // A failure to close a pipe has no consequence.
            }
        }
    }
}

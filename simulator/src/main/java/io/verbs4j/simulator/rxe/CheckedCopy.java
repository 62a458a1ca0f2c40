// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/// Copies between arrays and memory that may be unmapped at any moment. The bytes pass through a pipe, so the operating
/// system accesses the memory: it reports an address that is not mapped as an error, whereas an access of the virtual
/// machine would end the process. This works on any system, and costs two system calls a copy.
final class CheckedCopy {
    private static @Nullable Pipe pipe;

    private CheckedCopy() {}

    /// Reads memory.
    ///
    /// @param length at most the MTU, which any pipe holds
    /// @return false if not all of it is mapped
    static boolean read(long address, byte[] to, int at, int length) {
        return pass(Memory.at(address, length).asByteBuffer(), ByteBuffer.wrap(to, at, length));
    }

    /// Writes memory.
    ///
    /// @param length at most the MTU, which any pipe holds
    /// @return false if not all of it is mapped and writable; then a part of it may have been written
    static boolean write(byte[] from, int at, long address, int length) {
        return pass(ByteBuffer.wrap(from, at, length), Memory.at(address, length).asByteBuffer());
    }

    private static synchronized boolean pass(ByteBuffer from, ByteBuffer to) {
        // A channel closes if its thread is interrupted.
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
                    close(); // with what it still holds
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
                throw new UncheckedIOException("no pipe to check accesses to registered memory with", e);
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
                // A pipe has nothing to lose.
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The executed arcs of rxe's functions, if the kernel counts them (the lab's `uml-gcov`). An arc leads from one basic
/// block to another.
public final class KernelArcs {
    private static final Path COUNTS = Path.of("/sys/kernel/debug/gcov");
    private static final int FUNCTION = 0x0100_0000;
    private static final int ARCS = 0x01a1_0000;
    private static final int HEAD_WORDS = 3; // and one more since GCC 12, where lengths are bytes, not words

    private KernelArcs() {}

    /// An executed arc.
    ///
    /// @param file the file of counts
    /// @param function the function's number in the file
    /// @param number the arc's number in the function
    public record Arc(String file, int function, int number) {}

    /// Returns whether the kernel counts.
    public static boolean areCounted() {
        return Files.isDirectory(COUNTS);
    }

    /// Returns the arcs that have run since the kernel was started.
    public static Set<Arc> reached() {
        return reached(COUNTS);
    }

    /// Returns the arcs that have run as counts say which another run has left.
    public static Set<Arc> reached(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> ofRxe = files.filter(file -> file.toString().matches(".*/sw/rxe/[^/]*[.]gcda")).toList();
            var arcs = new HashSet<Arc>();
            for (Path file : ofRxe) {
                read(file.getFileName().toString(), Files.readAllBytes(file), arcs);
            }
            return arcs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(String file, byte[] bytes, Set<Arc> arcs) {
        var counts = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        boolean inBytes = counts.getInt(HEAD_WORDS * Integer.BYTES) != FUNCTION;
        counts.position((inBytes ? HEAD_WORDS + 1 : HEAD_WORDS) * Integer.BYTES);
        int function = 0;
        try {
            while (counts.hasRemaining()) {
                int tag = counts.getInt();
                int length = counts.getInt() * (inBytes ? 1 : Integer.BYTES);
                int end = counts.position() + Math.max(length, 0);
                if (tag == FUNCTION && length > 0) {
                    function = counts.getInt();
                } else if (tag == ARCS) {
                    for (int i = 0; i < length / Long.BYTES; i++) {
                        if (counts.getLong() != 0) {
                            arcs.add(new Arc(file, function, i));
                        }
                    }
                }
                counts.position(end);
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IllegalStateException(file + " is not what GCC counts into", e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/// Kinds of memory that Java does not provide: mostly unbacked memory, repeated mappings of the same pages, and huge
/// pages.
@SuppressWarnings("restricted") // the test's own system calls
public final class NativeMemory {
    /// The size of a huge page on x86-64.
    public static final long HUGE_PAGE = 2 << 20;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MFD_HUGETLB = 4;
    private static final int MADV_DONTNEED = 4;

    private static final MethodHandle MMAP =
            function("mmap", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle MADVISE = function("madvise", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MEMFD_CREATE = function("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FTRUNCATE = function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);

    private NativeMemory() {}

    /// Private memory whose pages come into being when they are touched.
    public static MemorySegment sparse(long bytes, Arena arena) {
        return map(MemorySegment.NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1)
                .reinterpret(bytes, arena, segment -> unmap(segment, bytes));
    }

    /// Private memory that lasts until [#unmap].
    public static MemorySegment mapped(long bytes) {
        return map(MemorySegment.NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1).reinterpret(bytes);
    }

    /// Unmaps memory, whatever still uses it.
    public static void unmap(MemorySegment segment) {
        unmap(segment, segment.byteSize());
    }

    /// Gives the pages of private memory back to the kernel; the next access finds zeros.
    public static void discard(MemorySegment segment) {
        if (call(MADVISE, segment, segment.byteSize(), MADV_DONTNEED) != 0) {
            throw new AssertionError("madvise failed");
        }
    }

    /// An address range, whatever is there.
    public static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// The same `bytes` of huge pages, `times` one behind the other.
    public static MemorySegment repeated(long bytes, int times, Arena arena) {
        long reserved = bytes * times + HUGE_PAGE; // the mapping of huge pages must begin on one
        int file = hugeFile(bytes, arena);
        try {
            MemorySegment place = map(MemorySegment.NULL, reserved, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
            long start = place.address() + (-place.address() & (HUGE_PAGE - 1));
            for (int i = 0; i < times; i++) {
                map(MemorySegment.ofAddress(start + i * bytes), bytes, MAP_SHARED | MAP_FIXED, file);
            }
            return MemorySegment.ofAddress(start).reinterpret(bytes * times, arena, _ -> unmap(place, reserved));
        } finally {
            call(CLOSE, file);
        }
    }

    private static int hugeFile(long bytes, Arena arena) {
        int file = (int) call(MEMFD_CREATE, arena.allocateFrom("huge"), MFD_HUGETLB);
        if (file < 0 || call(FTRUNCATE, file, bytes) != 0) {
            throw new AssertionError("no file of huge pages");
        }
        return file;
    }

    /// Makes the kernel set huge pages aside, as many as there are not yet.
    public static void reserveHugePages(int count) {
        try {
            Path setting = Path.of("/proc/sys/vm/nr_hugepages");
            if (Integer.parseInt(Files.readString(setting).strip()) < count) {
                Files.writeString(setting, count + "\n");
            }
            int there = Integer.parseInt(Files.readString(setting).strip());
            if (there < count) {
                throw new AssertionError("the kernel has room for " + there + " of " + count + " huge pages");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MemorySegment map(MemorySegment address, long bytes, int flags, int file) {
        long mapped = call(MMAP, address, bytes, PROT_READ_WRITE, flags, file, 0L);
        if (mapped == -1) {
            throw new AssertionError("mmap of " + bytes + " bytes failed");
        }
        return MemorySegment.ofAddress(mapped);
    }

    private static void unmap(MemorySegment segment, long bytes) {
        call(MUNMAP, segment, bytes);
    }

    private static MethodHandle function(
            String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    private static long call(MethodHandle function, Object... arguments) {
        try {
            return ((Number) function.invokeWithArguments(arguments)).longValue();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}

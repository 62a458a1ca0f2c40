// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.device.DeviceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.stream.Stream;

/// Makes the kernel fail within system calls of this thread: at the n-th allocation of memory, or copy from or to the
/// program's memory. The lab's kernels `uml-gcov` and `uml-debug` support it (CONFIG_FAULT_INJECTION).
public final class KernelFaults implements AutoCloseable {
    private static final Path FAIL_NTH = Path.of("/proc/thread-self/fail-nth");
    private static final Path DEBUG = Path.of("/sys/kernel/debug");
    private static final Set<String> CALLS = Set.of("ioctl", "write", "map", "unmap", "eventFile");

    private final Thread owner = Thread.currentThread();
    private final FileChannel file;
    private final ByteBuffer number = ByteBuffer.allocateDirect(16);
    private int remaining;
    private boolean struck;

    /// Opens the file of this thread.
    public KernelFaults() {
        // Else only allocations that must not sleep fail, which hardly any system call makes.
        set("failslab/ignore-gfp-wait", "N");
        set("fail_page_alloc/ignore-gfp-wait", "N");
        set("fail_page_alloc/min-order", "0");
        for (String kind : List.of("failslab", "fail_page_alloc", "fail_usercopy")) {
            set(kind + "/verbose", "0"); // else each one fills the kernel's log
        }
        try {
            file = FileChannel.open(FAIL_NTH, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns whether the kernel was built for this.
    public static boolean areThere() {
        return Files.exists(FAIL_NTH);
    }

    /// Makes some allocations of rxe fail while it sends and receives, in any kernel thread. Allocations of system
    /// calls, which may wait for memory, do not fail.
    ///
    /// @param percent percentage of the allocations
    /// @return close it to let allocations succeed again
    public static AutoCloseable inTraffic(int percent) {
        long[] rxe = rxe();
        set("failslab/ignore-gfp-wait", "Y");
        set("failslab/verbose", "0");
        set("failslab/require-start", "0x" + Long.toHexString(rxe[0]));
        set("failslab/require-end", "0x" + Long.toHexString(rxe[1]));
        set("failslab/interval", "1");
        set("failslab/times", "-1");
        set("failslab/probability", Integer.toString(percent));
        return () -> {
            set("failslab/probability", "0");
            set("failslab/require-start", "0");
            set("failslab/require-end", "0xffffffffffffffff");
        };
    }

    /// Returns between which addresses rxe's functions lie.
    private static long[] rxe() {
        try (Stream<String> symbols = Files.lines(Path.of("/proc/kallsyms"))) {
            LongSummaryStatistics addresses = symbols.filter(line -> line.matches("[0-9a-f]+ [tT] rxe_.*"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring(0, line.indexOf(' ')), 16))
                    .summaryStatistics();
            return new long[]{addresses.getMin(), addresses.getMax()};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void set(String what, String value) {
        try {
            Files.writeString(DEBUG.resolve(what), value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets the n-th allocation or copy from here on fail, counted over the calls of all files of
    /// [#within(DeviceFile)].
    public void arm(int nth) {
        remaining = nth;
        struck = false;
    }

    /// Makes further calls succeed.
    ///
    /// @return whether one has failed
    public boolean disarm() {
        remaining = 0;
        return struck;
    }

    /// Returns whether one has failed.
    public boolean struck() {
        return struck;
    }

    /// Returns a file whose calls fail.
    public DeviceFile within(DeviceFile kernel) {
        return FileCalls.of(kernel, call -> {
            if (remaining <= 0 || !CALLS.contains(call.name())) {
                return call.pass();
            }
            begin();
            try {
                return call.pass();
            } finally {
                end();
            }
        });
    }

    /// Lets the kernel count. As few system calls as possible should follow before [#end()]: each of them counts.
    public void begin() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("the kernel counts for " + owner + " only");
        }
        write(remaining);
    }

    /// Ends the counting of [#begin].
    public void end() {
        int left = read();
        write(0);
        struck |= left == 0;
        remaining = left;
    }

    private void write(int value) {
        number.clear().put(Integer.toString(value).getBytes(StandardCharsets.US_ASCII)).flip();
        try {
            file.write(number);
        } catch (IOException e) {
            // Its own copy from our memory was the one that failed.
            number.rewind();
            retry(() -> file.write(number));
        }
    }

    private int read() {
        number.clear();
        try {
            file.read(number, 0);
        } catch (IOException e) {
            // Its own copy into our memory was the one that failed. Nothing of the program's has.
            write(0);
            return 1;
        }
        return Integer.parseInt(StandardCharsets.US_ASCII.decode(number.flip()).toString().strip());
    }

    private interface Attempt {
        void make() throws IOException;
    }

    private static void retry(Attempt attempt) {
        try {
            attempt.make();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set("failslab/ignore-gfp-wait", "Y");
        set("fail_page_alloc/ignore-gfp-wait", "Y");
        set("fail_page_alloc/min-order", "1");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The system calls on devices that every machine has: `/dev/null` accepts writes, `/dev/zero` can be mapped.
class LinuxDeviceFileTest {
    private static final Path NULL = Path.of("/dev/null");
    private static final Path ZERO = Path.of("/dev/zero");
    private static final Path TERMINAL = Path.of("/dev/ptmx");
    private static final int O_LARGEFILE = 0x8000;

    @TempDir private Path folder;

    private static int errno(Runnable action) {
        try {
            action.run();
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }

    @Test
    void aMissingNodeIsReportedWithARemedy() {
        Path node = folder.resolve("uverbs9");
        assertThatThrownBy(() -> LinuxDeviceFile.open(node))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContaining(node.toString())
                .hasMessageContaining("modprobe");
    }

    @Test
    void whatIsNoCharacterDeviceIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> LinuxDeviceFile.open(file))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(file + " is not a character device");
        assertThatThrownBy(() -> LinuxDeviceFile.open(folder)).hasMessageContaining("is not a character device");
    }

    @Test
    void aNodeWithoutPermissionIsReported() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(locked), "root may do all");
        assertThat(errno(() -> LinuxDeviceFile.open(locked.resolve("uverbs0")))).isEqualTo(Errno.EACCES);
    }

    @Test
    void resultsAreTheKernelsOwn() {
        try (Arena arena = Arena.ofConfined(); LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            assertThat(file.write(arena.allocate(32))).isEqualTo(32);
            assertThat(file.ioctl(arena.allocate(24))).isEqualTo(-Errno.ENOTTY);
        }
    }

    @Test
    void afterCloseEveryCallAnswersEbadf() {
        try (Arena arena = Arena.ofShared()) {
            LinuxDeviceFile file = LinuxDeviceFile.open(ZERO);
            file.close();
            file.close();
            assertThat(file.write(arena.allocate(32))).isEqualTo(-Errno.EBADF);
            assertThat(file.ioctl(arena.allocate(24))).isEqualTo(-Errno.EBADF);
            assertThat(errno(() -> file.map(0, 4096))).isEqualTo(Errno.EBADF);
        }
    }

    private static long mappingsOf(Path device) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            // The kernel reports a shared mapping of zeros as one of a deleted file.
            return lines.filter(line -> line.contains(device.toString())).count();
        }
    }

    @Test
    void aMappingOutlivesTheFileAndLeavesZeroesBehind() throws IOException {
        LinuxDeviceFile file = LinuxDeviceFile.open(ZERO);
        MemorySegment mapping = file.map(0, 8192);
        file.close();
        assertThat(mapping.byteSize()).isEqualTo(8192);
        mapping.set(ValueLayout.JAVA_LONG, 8184, 7);
        assertThat(mapping.get(ValueLayout.JAVA_LONG, 8184)).isEqualTo(7);
        assertThat(mappingsOf(ZERO)).isEqualTo(1);
        file.unmap(mapping);
        assertThat(mappingsOf(ZERO)).isZero();
        assertThat(mapping.get(ValueLayout.JAVA_LONG, 8184)).isZero();
    }

    @Test
    void aMappingThatTheKernelDoesNotTakeBackStays() throws IOException {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(ZERO)) {
            MemorySegment mapping = file.map(0, 8192);
            assertThat(errno(() -> file.unmap(mapping.asSlice(1)))).isEqualTo(Errno.EINVAL);
            assertThat(mappingsOf(ZERO)).isEqualTo(1);
            file.unmap(mapping);
            assertThat(mappingsOf(ZERO)).isZero();
        }
    }

    @Test
    void whoeverIsStillAtWorkInAMappingThatEndsDoesNoHarm() throws IOException, InterruptedException {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(ZERO)) {
            for (int round = 0; round < 50; round++) {
                MemorySegment mapping = file.map(0, 8192);
                long address = mapping.address() & RawMemory.ADDRESSES;
                var started = new CountDownLatch(1);
                var stop = new AtomicBoolean();
                Thread worker = Thread.ofPlatform().start(() -> {
                    while (!stop.get()) {
                        RawMemory.ALL.set(ValueLayout.JAVA_LONG, address + 4096, 7);
                        started.countDown();
                    }
                });
                started.await();
                file.unmap(mapping);
                assertThat(mappingsOf(ZERO)).isZero();
                stop.set(true);
                worker.join();
                MemorySegment next = file.map(0, 8192);
                assertThat(next.address()).as("addresses are not given to another").isNotEqualTo(mapping.address());
                file.unmap(next);
                Reference.reachabilityFence(mapping);
            }
        }
    }

    /// The time of the garbage collection is not defined: hence the rounds.
    @Test
    @Timeout(60)
    void theAddressesOfAForgottenMappingAreGivenBack() throws IOException, InterruptedException {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(ZERO)) {
            assertThat(file.map(0, 8192).byteSize()).isEqualTo(8192);
            while (mappingsOf(ZERO) != 0) {
                System.gc();
                Thread.sleep(10);
            }
        }
    }

    @Test
    void whatCannotBeMappedIsReported() {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            assertThatThrownBy(() -> file.map(0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("length=0");
            assertThatThrownBy(() -> file.map(0, -1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(errno(() -> file.map(0, 4096))).isEqualTo(Errno.ENODEV);
            assertThat(errno(() -> file.map(1, 4096))).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void aCommandWhoseMemoryIsFreedIsRefusedBeforeTheKernelSeesIt() {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            MemorySegment command;
            try (Arena arena = Arena.ofConfined()) {
                command = arena.allocate(32);
            }
            assertThatThrownBy(() -> file.write(command)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> file.ioctl(command)).isInstanceOf(IllegalStateException.class);
            try (Arena arena = Arena.ofConfined()) {
                assertThat(file.write(arena.allocate(8))).as("the file is still usable").isEqualTo(8);
            }
        }
    }

    /// Compiled code allocates nothing. The time of the compilation is not defined: hence the rounds.
    @Test
    @Timeout(60)
    void theDoorbellAllocatesNothing() throws ReflectiveOperationException {
        try (LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            var doorbell = new PostSendDoorbell(1, 56, Arena.ofAuto());
            int rings = 20_000;
            long allocated = Long.MAX_VALUE;
            while (allocated > rings) {
                long before = AllocatedBytes.now();
                int result = 0;
                for (int i = 0; i < rings; i++) {
                    result |= doorbell.ring(file);
                }
                allocated = AllocatedBytes.now() - before;
                assertThat(result).isZero();
            }
        }
    }

    /// `/dev/ptmx` is readable only after something was written to its other end.
    @Test
    @Timeout(20)
    void aWaitEndsWhenItIsWoken() throws Exception {
        assumeTrue(Files.isReadable(TERMINAL));
        try (LinuxDeviceFile file = LinuxDeviceFile.open(TERMINAL)) {
            assertThat(file.await(1)).isZero();
            int[] result = new int[1];
            Thread waiting = Thread.ofPlatform().start(() -> result[0] = file.await(-1));
            while (waiting.isAlive()) {
                file.wake();
                waiting.join(1);
            }
            assertThat(result[0]).isEqualTo(-Errno.EINTR);
        }
        try (LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            assertThat(file.await(-1)).isEqualTo(1);
        }
    }

    @Test
    void takesOverFilesOfEvents() {
        try (Arena arena = Arena.ofConfined(); LinuxDeviceFile file = LinuxDeviceFile.open(NULL)) {
            int number = Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC);
            EventFile events = file.eventFile(number);
            assertThat(events.fileDescriptor()).isEqualTo(number);
            assertThat(events.await(0)).isZero();
            events.close();
            assertThat(events.read(arena.allocate(8, 8))).isEqualTo(-Errno.EBADF);
        }
    }

    /// Both kinds are closed in a program that this process executes.
    @Test
    void filesAreBlockingOrNot() throws IOException {
        try (
                LinuxDeviceFile blocking = LinuxDeviceFile.open(NULL);
                LinuxDeviceFile other = LinuxDeviceFile.open(NULL, true)) {
            int common = LinuxConstants.O_RDWR | LinuxConstants.O_CLOEXEC;
            assertThat(flags(blocking)).isEqualTo(common);
            assertThat(flags(other)).isEqualTo(common | LinuxConstants.O_NONBLOCK);
        }
    }

    private static int flags(LinuxDeviceFile file) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/" + file.fileDescriptor()))) {
            if (line.startsWith("flags:")) {
                return Integer.parseInt(line.substring(6).strip(), 8) & ~O_LARGEFILE;
            }
        }
        throw new AssertionError("no flags");
    }
}

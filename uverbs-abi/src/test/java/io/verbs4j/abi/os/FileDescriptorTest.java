// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FileDescriptorTest {
    private static final int FLAGS = LinuxConstants.EFD_CLOEXEC | LinuxConstants.EFD_NONBLOCK;

    private static boolean isOpen(int number) {
        return Files.exists(Path.of("/proc/self/fd/" + number), LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void aClosedOneIsRefused() {
        var descriptor = new FileDescriptor(Syscalls.eventfd(FLAGS));
        assertThat(descriptor.acquire()).isEqualTo(descriptor.number());
        descriptor.release();
        descriptor.close();
        assertThat(descriptor.acquire()).isEqualTo(-Errno.EBADF);
        assertThat(descriptor.isClosed()).isTrue();
        assertThat(isOpen(descriptor.number())).isFalse();
    }

    @Test
    void theLastUserClosesIt() {
        var descriptor = new FileDescriptor(Syscalls.eventfd(FLAGS));
        descriptor.acquire();
        descriptor.acquire();
        descriptor.close();
        assertThat(descriptor.acquire()).isEqualTo(-Errno.EBADF);
        assertThat(isOpen(descriptor.number())).isTrue();
        descriptor.release();
        assertThat(isOpen(descriptor.number())).isTrue();
        descriptor.release();
        assertThat(isOpen(descriptor.number())).isFalse();
    }

    @Test
    void closingTwiceDoesNotCloseAnotherFile() {
        var descriptor = new FileDescriptor(Syscalls.eventfd(FLAGS));
        descriptor.close();
        var successor = new FileDescriptor(Syscalls.eventfd(FLAGS));
        assertThat(successor.number()).as("the number is used again").isEqualTo(descriptor.number());
        descriptor.close();
        assertThat(isOpen(successor.number())).isTrue();
        successor.close();
    }

    /// Threads write to an eventfd while it is closed and its number is assigned to another. No thread may ever write
    /// to the other.
    @Test
    void closingUnderLoadNeverHitsTheNextFileOfTheSameNumber() throws InterruptedException {
        int reused = 0;
        for (int round = 0; round < 300; round++) {
            var victim = new FileDescriptor(Syscalls.eventfd(FLAGS));
            var writes = new AtomicInteger();
            var running = new CountDownLatch(3);
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                writers.add(Thread.ofPlatform().start(() -> writeUntilClosed(victim, writes, running)));
            }
            running.await();
            victim.close();
            int successor = Syscalls.eventfd(FLAGS);
            for (Thread writer : writers) {
                writer.join();
            }
            assertThat(writes.get()).isPositive();
            assertThat(valueOf(successor)).isEqualTo(-Errno.EAGAIN);
            reused += successor == victim.number() ? 1 : 0;
            Syscalls.close(successor);
        }
        assertThat(reused).as("the numbers were used again").isPositive();
    }

    private static void writeUntilClosed(FileDescriptor victim, AtomicInteger writes, CountDownLatch running) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
            int fd = victim.acquire();
            while (fd >= 0) {
                Syscalls.write(fd, one);
                victim.release();
                writes.incrementAndGet();
                running.countDown();
                fd = victim.acquire();
            }
        }
    }

    private static long valueOf(int eventfd) {
        try (Arena arena = Arena.ofConfined()) {
            return Syscalls.read(eventfd, arena.allocate(ValueLayout.JAVA_LONG));
        }
    }
}

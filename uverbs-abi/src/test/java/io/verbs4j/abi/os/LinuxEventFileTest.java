// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Waiting, with an eventfd in place of a completion channel: it also returns records of 8 bytes.
@Timeout(60)
class LinuxEventFileTest {
    private static final int SEMAPHORE = 1;
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long LATE = TimeUnit.SECONDS.toNanos(30);

    private final Arena arena = Arena.ofShared();
    private final int number = Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC | SEMAPHORE);
    private final LinuxEventFile file = new LinuxEventFile(number);

    /// The kind of waiting thread.
    enum Kind {
        PLATFORM {
            @Override
            Thread start(Runnable task) {
                return Thread.ofPlatform().start(task);
            }
        },
        VIRTUAL {
            @Override
            Thread start(Runnable task) {
                return Thread.ofVirtual().start(task);
            }
        };

        abstract Thread start(Runnable task);
    }

    /// A thread that waits once.
    private record Waiting(Thread thread, FutureTask<Integer> result) {
        int get() throws Exception {
            return result.get(20, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void close() {
        file.close();
        arena.close();
    }

    private void post(int events) {
        for (int i = 0; i < events; i++) {
            assertThat(Syscalls.write(number, arena.allocateFrom(ValueLayout.JAVA_LONG, 1L))).isEqualTo(8);
        }
    }

    private MemorySegment record() {
        return arena.allocate(ValueLayout.JAVA_LONG);
    }

    /// Starts a waiting thread, and returns when it is waiting or has ended.
    private Waiting waiting(Kind kind, long timeoutNanos) throws InterruptedException {
        int before = file.waiting();
        var task = new FutureTask<>(() -> file.await(timeoutNanos));
        Thread thread = kind.start(task);
        while (file.waiting() == before && !task.isDone()) {
            Thread.sleep(1);
        }
        return new Waiting(thread, task);
    }

    @ParameterizedTest
    @EnumSource
    void awaitReturnsWhenARecordIsThere(Kind kind) throws Exception {
        Waiting waiting = waiting(kind, LATE);
        assertThat(waiting.result().isDone()).isFalse();
        post(1);
        assertThat(waiting.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void awaitReturnsAtOnceIfARecordIsThereAlready(Kind kind) throws Exception {
        post(1);
        assertThat(waiting(kind, -1).get()).isEqualTo(1);
        assertThat(file.await(0)).isEqualTo(1);
    }

    @Test
    void aTimeoutOf0OnlyLooks() {
        assertThat(file.await(0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void awaitEndsAfterItsTimeoutAndNotBefore(Kind kind) throws Exception {
        long start = System.nanoTime();
        assertThat(waiting(kind, SOON).get()).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SOON);
    }

    @ParameterizedTest
    @EnumSource
    void theLongestTimeoutDoesNotOverflow(Kind kind) throws Exception {
        Waiting waiting = waiting(kind, Long.MAX_VALUE);
        assertThat(waiting.result().isDone()).isFalse();
        post(1);
        assertThat(waiting.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheWaitAndStaysPending(Kind kind) throws Exception {
        var pending = new FutureTask<>(() -> {
            int first = file.await(-1);
            boolean interrupted = Thread.currentThread().isInterrupted();
            int second = file.await(-1);
            boolean cleared = Thread.interrupted();
            return List.of(first, interrupted, second, cleared, file.await(SOON));
        });
        Thread thread = kind.start(pending);
        Thread.sleep(50);
        thread.interrupt();
        assertThat(pending.get(20, TimeUnit.SECONDS))
                .containsExactly(-Errno.EINTR, true, -Errno.EINTR, true, 0);
    }

    @ParameterizedTest
    @EnumSource
    void aRecordIsTakenInSpiteOfAPendingInterrupt(Kind kind) throws Exception {
        post(1);
        var task = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            return file.await(LATE);
        });
        kind.start(task);
        assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void wakeEndsAllPresentWaitsAndNoLaterOne(Kind kind) throws Exception {
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(waiting(kind, LATE));
        }
        file.wake();
        for (Waiting waiting : all) {
            assertThat(waiting.get()).isEqualTo(-Errno.EINTR);
        }
        assertThat(waiting(kind, SOON).get()).isZero();
        assertThat(waiting(kind, SOON).get()).isZero();
    }

    @Test
    void wakeWithoutWaitersIsForgotten() {
        file.wake();
        assertThat(file.await(SOON)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void closeEndsAllWaitsAndThenTheDescriptor(Kind kind) throws Exception {
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(waiting(kind, -1));
        }
        file.close();
        for (Waiting waiting : all) {
            assertThat(waiting.get()).isEqualTo(-Errno.EBADF);
        }
        assertThat(file.await(0)).isEqualTo(-Errno.EBADF);
        assertThat(file.await(SOON)).isEqualTo(-Errno.EBADF);
        assertThat(file.read(record())).isEqualTo(-Errno.EBADF);
        Path descriptor = Path.of("/proc/self/fd/" + number);
        // The poller of the virtual threads releases the file a moment later.
        for (int i = 0; i < 200 && Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS); i++) {
            Thread.sleep(10);
        }
        assertThat(Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    /// A record that [LinuxEventFile#await(long)] has reported may have been taken. A thread that reads it with a lock
    /// held must not block.
    @Test
    void aReadDoesNotWait() {
        assertThat(file.read(record())).isEqualTo(-Errno.EAGAIN);
        post(1);
        assertThat(file.read(record())).isEqualTo(8);
        assertThat(file.read(record())).isEqualTo(-Errno.EAGAIN);
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsTakeEachRecordOnce(Kind kind) throws Exception {
        int threads = 8;
        int each = 50;
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            var task = new FutureTask<>(() -> {
                int taken = 0;
                while (taken < each && file.await(LATE) == 1) {
                    taken += file.read(record()) == 8 ? 1 : 0;
                }
                return taken;
            });
            tasks.add(task);
            kind.start(task);
        }
        post(threads * each);
        for (FutureTask<Integer> task : tasks) {
            assertThat(task.get(30, TimeUnit.SECONDS)).isEqualTo(each);
        }
        assertThat(file.await(0)).isZero();
    }

    @Test
    void virtualThreadsThatWaitLeaveTheirCarriersFree() throws Exception {
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            all.add(waiting(Kind.VIRTUAL, LATE));
        }
        var other = new FutureTask<>(() -> "ran");
        Thread.ofVirtual().start(other);
        assertThat(other.get(10, TimeUnit.SECONDS)).isEqualTo("ran");
        file.wake();
        for (Waiting waiting : all) {
            assertThat(waiting.get()).isEqualTo(-Errno.EINTR);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsOfManyFilesDoNotDisturbEachOther(Kind kind) throws Exception {
        List<LinuxEventFile> files = new ArrayList<>();
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            var one = new LinuxEventFile(Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC));
            var task = new FutureTask<>(() -> one.await(LATE));
            files.add(one);
            tasks.add(task);
            kind.start(task);
        }
        for (int i = 0; i < 40; i += 2) {
            Syscalls.write(files.get(i).fileDescriptor(), arena.allocateFrom(ValueLayout.JAVA_LONG, 1L));
        }
        for (int i = 0; i < 40; i += 2) {
            assertThat(tasks.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(tasks.get(i + 1).isDone()).isFalse();
        }
        files.forEach(LinuxEventFile::close);
        for (int i = 1; i < 40; i += 2) {
            assertThat(tasks.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(-Errno.EBADF);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFileWhoseOtherSideIsGoneAnswersEio(Kind kind, @TempDir Path folder) throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        int reader = Syscalls.open(arena.allocateFrom(fifo.toString()), LinuxConstants.O_NONBLOCK);
        try (var events = new LinuxEventFile(reader); var writer = new FileOutputStream(fifo.toFile())) {
            var task = new FutureTask<>(() -> events.await(LATE));
            kind.start(task);
            Thread.sleep(30);
            closeOtherSide(writer);
            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo(-Errno.EIO);
        }
    }

    private static void closeOtherSide(FileOutputStream writer) throws IOException {
        writer.close();
    }

    @Test
    void aNumberThatIsNoOpenFileIsRefused() {
        assertThatThrownBy(() -> new LinuxEventFile(-1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void waitsOfOneThreadLeaveNoDescriptorsBehind() {
        int before = openDescriptors();
        for (int i = 0; i < 50; i++) {
            assertThat(file.await(1)).isZero();
        }
        assertThat(openDescriptors() - before).isLessThanOrEqualTo(1);
    }

    private static int openDescriptors() {
        String[] descriptors = Path.of("/proc/self/fd").toFile().list();
        return descriptors == null ? 0 : descriptors.length;
    }
}

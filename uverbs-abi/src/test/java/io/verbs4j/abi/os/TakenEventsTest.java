// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Waiting for a record and taking it in one call, with an eventfd in place of a completion channel.
@Timeout(60)
class TakenEventsTest {
    private static final int SEMAPHORE = 1;
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long LATE = TimeUnit.SECONDS.toNanos(30);
    private static final int RECORD = 8;

    private final Arena arena = Arena.ofShared();
    private final int number = Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC | SEMAPHORE);
    private final LinuxEventFile file = new LinuxEventFile(number);
    private final MemorySegment record = arena.allocate(ValueLayout.JAVA_LONG);

    /// The kind of waiting thread.
    enum Kind {
        PLATFORM,
        VIRTUAL;

        Thread start(Runnable task) {
            return this == PLATFORM
                    ? Thread.ofPlatform().start(task)
                    : Thread.ofVirtual().start(task);
        }
    }

    @AfterEach
    void close() {
        file.close();
        arena.close();
    }

    private void post() {
        assertThat(Syscalls.write(number, arena.allocateFrom(ValueLayout.JAVA_LONG, 1L))).isEqualTo(RECORD);
    }

    private FutureTask<Integer> taking(Kind kind, long timeoutNanos) throws InterruptedException {
        var task = new FutureTask<>(() -> file.take(record, timeoutNanos));
        kind.start(task);
        while (file.waiting() == 0 && !task.isDone()) {
            Thread.sleep(1);
        }
        return task;
    }

    private static int result(FutureTask<Integer> task) throws Exception {
        return task.get(20, TimeUnit.SECONDS);
    }

    /// Without it, all other tests here would use `ppoll` only.
    @Test
    void thisVirtualMachineHasTheSignal() {
        assertThat(WakingSignal.ofCurrentThread()).isNotNull();
    }

    @Test
    void aPlatformThreadNeedsNoDescriptorToBeFetchedBack() throws Exception {
        int before = openDescriptors();
        FutureTask<Integer> task = taking(Kind.PLATFORM, -1);
        Thread.sleep(20);
        assertThat(openDescriptors()).isEqualTo(before);
        file.wake();
        assertThat(result(task)).isEqualTo(-Errno.EINTR);
    }

    @ParameterizedTest
    @EnumSource
    void aRecordEndsTheWait(Kind kind) throws Exception {
        FutureTask<Integer> task = taking(kind, LATE);
        Thread.sleep(20);
        assertThat(task.isDone()).isFalse();
        post();
        assertThat(result(task)).isEqualTo(RECORD);
        assertThat(file.await(0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aRecordThatIsThereIsTakenAtOnce(Kind kind) throws Exception {
        post();
        post();
        assertThat(result(taking(kind, -1))).isEqualTo(RECORD);
        assertThat(file.take(record, 0)).isEqualTo(RECORD);
        assertThat(file.take(record, 0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theTimeoutEndsTheWaitAndNotBefore(Kind kind) throws Exception {
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            assertThat(result(taking(kind, SOON))).isZero();
            assertThat(System.nanoTime() - start).isBetween(SOON, LATE);
        }
    }

    /// No signal can be sent if the user's limit of pending signals is 0.
    @Test
    void theTimeoutEndsTheWaitOfAThreadThatNoSignalReaches() throws Exception {
        String formerLimit = pendingSignals();
        limitPendingSignals("0");
        try {
            assertThat(result(taking(Kind.PLATFORM, SOON))).isZero();
        } finally {
            limitPendingSignals(formerLimit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDeadlineEndsTheWaitAndNotBefore(Kind kind) throws Exception {
        long deadline = System.nanoTime() + SOON;
        var task = new FutureTask<>(() -> file.takeBy(record, deadline));
        kind.start(task);
        assertThat(result(task)).isZero();
        assertThat(System.nanoTime() - deadline).isBetween(0L, LATE);
    }

    @ParameterizedTest
    @EnumSource
    void aRecordIsTakenAfterTheDeadlineToo(Kind kind) throws Exception {
        post();
        var task = new FutureTask<>(() -> {
            long past = System.nanoTime() - SOON;
            return List.of(file.takeBy(record, past), file.takeBy(record, past));
        });
        kind.start(task);
        assertThat(task.get(20, TimeUnit.SECONDS)).containsExactly(RECORD, 0);
    }

    @Test
    void aShorterTimeoutThanTheLastOneIsKept() throws Exception {
        FutureTask<Integer> longer = taking(Kind.PLATFORM, LATE);
        file.wake();
        assertThat(result(longer)).isEqualTo(-Errno.EINTR);
        long start = System.nanoTime();
        assertThat(result(taking(Kind.PLATFORM, SOON))).isZero();
        assertThat(System.nanoTime() - start).isBetween(SOON, LATE / 2);
    }

    @Test
    void aLongerTimeoutThanTheLastOneIsKept() throws Exception {
        FutureTask<Integer> shorter = taking(Kind.PLATFORM, SOON);
        file.wake();
        assertThat(result(shorter)).isEqualTo(-Errno.EINTR);
        long start = System.nanoTime();
        assertThat(result(taking(Kind.PLATFORM, 4 * SOON))).isZero();
        assertThat(System.nanoTime() - start).isBetween(4 * SOON, LATE);
    }

    @ParameterizedTest
    @EnumSource
    void theLongestTimeoutDoesNotOverflow(Kind kind) throws Exception {
        FutureTask<Integer> task = taking(kind, Long.MAX_VALUE);
        Thread.sleep(20);
        assertThat(task.isDone()).isFalse();
        post();
        assertThat(result(task)).isEqualTo(RECORD);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheWaitAndStaysPending(Kind kind) throws Exception {
        var task = new FutureTask<>(() -> {
            int first = file.take(record, -1);
            boolean interrupted = Thread.currentThread().isInterrupted();
            int second = file.take(record, -1);
            boolean cleared = Thread.interrupted();
            return List.of(first, interrupted, second, cleared, file.take(record, SOON));
        });
        Thread thread = kind.start(task);
        Thread.sleep(50);
        thread.interrupt();
        assertThat(task.get(20, TimeUnit.SECONDS)).containsExactly(-Errno.EINTR, true, -Errno.EINTR, true, 0);
    }

    @ParameterizedTest
    @EnumSource
    void eachInterruptEndsAWait(Kind kind) throws Exception {
        var ended = new SynchronousQueue<Integer>();
        Thread thread = kind.start(() -> {
            try {
                for (int i = 0; i < 3; i++) {
                    int result = file.take(record, -1);
                    Thread.interrupted();
                    ended.put(result);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < 3; i++) {
            while (file.waiting() == 0) {
                Thread.sleep(1);
            }
            Thread.sleep(20);
            thread.interrupt();
            assertThat(ended.poll(20, TimeUnit.SECONDS)).isEqualTo(-Errno.EINTR);
        }
    }

    /// Threads wait one after the other with the same waiter.
    @Test
    void anInterruptReachesTheThreadThatWaitsNow() throws Exception {
        FutureTask<Integer> former = taking(Kind.PLATFORM, LATE);
        post();
        assertThat(result(former)).isEqualTo(RECORD);

        var task = new FutureTask<>(() -> file.take(record, -1));
        Thread thread = Kind.PLATFORM.start(task);
        Thread.sleep(50);
        thread.interrupt();
        assertThat(result(task)).isEqualTo(-Errno.EINTR);
    }

    @ParameterizedTest
    @EnumSource
    void aRecordIsTakenInSpiteOfAPendingInterrupt(Kind kind) throws Exception {
        post();
        var task = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            return file.take(record, LATE);
        });
        kind.start(task);
        assertThat(result(task)).isEqualTo(RECORD);
    }

    @ParameterizedTest
    @EnumSource
    void wakeEndsThePresentWaitAndNoLaterOne(Kind kind) throws Exception {
        for (int i = 0; i < 20; i++) {
            FutureTask<Integer> task = taking(kind, LATE);
            file.wake();
            assertThat(result(task)).isEqualTo(-Errno.EINTR);
        }
        assertThat(result(taking(kind, SOON))).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void closeEndsTheWaitAndThenTheDescriptor(Kind kind) throws Exception {
        FutureTask<Integer> task = taking(kind, -1);
        file.close();
        assertThat(result(task)).isEqualTo(-Errno.EBADF);
        assertThat(file.take(record, SOON)).isEqualTo(-Errno.EBADF);
        Path descriptor = Path.of("/proc/self/fd/" + number);
        // The poller of the virtual threads releases the file a moment later.
        for (int i = 0; i < 200 && Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS); i++) {
            Thread.sleep(10);
        }
        assertThat(Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void aReadAfterATakeDoesNotWait() throws Exception {
        post();
        assertThat(result(taking(Kind.PLATFORM, LATE))).isEqualTo(RECORD);
        assertThat(file.read(record)).isEqualTo(-Errno.EAGAIN);
    }

    /// Whatever events coincide, no record is lost, none is taken twice, and no thread sleeps indefinitely.
    @Test
    void noRecordIsLostAmongInterruptsWakesAndTimeouts() throws Exception {
        int posts = 3000;
        var taken = new AtomicInteger();
        var failures = new AtomicInteger();
        Thread reader = Thread.ofPlatform().start(() -> {
            var random = ThreadLocalRandom.current();
            while (taken.get() < posts) {
                int got = file.take(record, random.nextBoolean() ? -1 : random.nextLong(1, 200_000));
                Thread.interrupted();
                if (got == RECORD) {
                    taken.incrementAndGet();
                } else if (got != 0 && got != -Errno.EINTR) {
                    failures.incrementAndGet();
                    return;
                }
            }
        });
        Thread disturber = Thread.ofPlatform().start(() -> {
            while (reader.isAlive()) {
                reader.interrupt();
                file.wake();
            }
        });
        for (int i = 0; i < posts; i++) {
            post();
        }
        reader.join(30_000);
        assertThat(failures).hasValue(0);
        assertThat(taken).hasValue(posts);
        disturber.join();
        assertThat(file.await(0)).isZero();
    }

    private static int openDescriptors() {
        String[] descriptors = Path.of("/proc/self/fd").toFile().list();
        return descriptors == null ? 0 : descriptors.length;
    }

    private static String pendingSignals() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/limits"))) {
            String line = lines.filter(each -> each.startsWith("Max pending signals")).findFirst().orElseThrow();
            return line.split(" {2,}")[1];
        }
    }

    private static void limitPendingSignals(String softLimit) throws Exception {
        var command = new ProcessBuilder(
                "prlimit", "--pid=" + ProcessHandle.current().pid(), "--sigpending=" + softLimit + ":").inheritIO();
        assertThat(command.start().waitFor()).isZero();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Eventually;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The thread that polls for virtual threads.
class EventPollerTest {
    /// More than a new set has room for.
    private static final int MANY = 40;

    @Test
    void goesOnAfterALackOfMemory() {
        var sets = new AtomicInteger();
        var poller = new EventPoller(capacity -> {
            if (sets.incrementAndGet() == 2) {
                throw new OutOfMemoryError("of the test");
            }
            return new PollSet(Arena.ofAuto(), capacity);
        });
        assertReportsAFileToMany(poller);
        assertThat(sets).hasValue(3);
    }

    /// The kernel refuses to poll more entries than the process may have open files.
    @Test
    void pollsAFileOnceForAllThreadsThatWait() {
        assertReportsAFileToMany(
                new EventPoller(_ -> new PollSet(Arena.ofAuto(), 2))); // room for the wake-up and one file
    }

    private static void assertReportsAFileToMany(EventPoller poller) {
        var file = new FileDescriptor(Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC));
        var waiting =
                Stream.generate(() -> poller.add(file, Thread.currentThread())).limit(MANY).toList();
        Thread.ofPlatform().daemon().start(poller);
        try (Arena arena = Arena.ofConfined()) {
            Syscalls.write(file.number(), arena.allocateFrom(ValueLayout.JAVA_LONG, 1L));
        }
        Eventually.until(
                Duration.ofSeconds(20),
                () -> waiting.stream().allMatch(registration -> registration.result() == 1),
                () -> "the poller does not report the file");
        file.close();
    }
}

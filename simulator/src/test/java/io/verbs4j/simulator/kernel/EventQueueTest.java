// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.simulator.engine.Alarm;
import io.verbs4j.simulator.engine.Clock;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {
    private final Simulation virtual = new Simulation(Clock.VIRTUAL);
    private final Simulation real = new Simulation(Clock.REAL);
    private final EventQueue queue = new EventQueue(virtual, 12);
    private final List<String> read = new ArrayList<>();
    private final MemorySegment record = Arena.ofAuto().allocate(8);

    @AfterEach
    void close() {
        virtual.close();
        real.close();
    }

    private EventQueue.Event event(int number, Object source) {
        return new EventQueue.Event(new byte[]{(byte) number, 9}, source, () -> read.add("read " + number));
    }

    @Test
    void eventsAreReadInTheirOrder() {
        assertThat(queue.fileDescriptor()).isEqualTo(12);
        assertThat(queue.read(record)).isEqualTo(-Errno.EAGAIN);
        assertThat(queue.await(0)).isZero();
        queue.add(event(1, "a"));
        queue.add(event(2, "b"));
        assertThat(queue.await(0)).isEqualTo(1);
        assertThat(queue.await(-1)).isEqualTo(1);
        assertThat(queue.read(record.asSlice(0, 1))).as("too short").isEqualTo(-Errno.EINVAL);
        assertThat(read).isEmpty();
        assertThat(queue.read(record.asSlice(0, 2))).isEqualTo(2);
        assertThat(record.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
        assertThat(queue.read(record)).isEqualTo(2);
        assertThat(record.toArray(ValueLayout.JAVA_BYTE)).startsWith(2, 9, 0);
        assertThat(read).containsExactly("read 1", "read 2");
        assertThat(queue.read(record)).isEqualTo(-Errno.EAGAIN);
    }

    @Test
    void eventsOfASourceAreWithdrawn() {
        var withdrawn = event(2, "b");
        queue.add(event(1, "a"));
        queue.add(withdrawn);
        queue.add(event(3, null));
        assertThat(queue.withdraw("b"::equals)).containsExactly(withdrawn);
        assertThat(queue.withdraw("b"::equals)).isEmpty();
        assertThat(queue.read(record)).isEqualTo(2);
        assertThat(queue.read(record)).isEqualTo(2);
        assertThat(read).containsExactly("read 1", "read 3");
    }

    @Test
    void aClosedFileHasNoEvents() {
        queue.add(event(1, "a"));
        assertThat(queue.isClosed()).isFalse();
        queue.close();
        queue.add(event(2, "a"));
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.read(record)).isEqualTo(-Errno.EBADF);
        assertThat(queue.await(0)).isEqualTo(-Errno.EBADF);
        assertThat(queue.await(-1)).isEqualTo(-Errno.EBADF);
        assertThat(queue.withdraw("a"::equals)).isEmpty();
    }

    /// A wait in virtual time ends with the first alarm that raises an event, or after the timeout.
    @Test
    void aWaitTakesVirtualTime() {
        virtual.alarm(() -> {}).set(10);
        virtual.alarm(() -> queue.add(event(1, "a"))).set(20);
        virtual.alarm(() -> queue.add(event(2, "a"))).set(30);
        assertThat(queue.await(5)).isZero();
        assertThat(virtual.now()).isEqualTo(5);
        assertThat(queue.await(14)).isZero();
        assertThat(virtual.now()).isEqualTo(19);
        assertThat(queue.await(1)).isEqualTo(1);
        assertThat(virtual.now()).isEqualTo(20);
        assertThat(queue.read(record)).isEqualTo(2);
        assertThat(queue.await(-1)).isEqualTo(1);
        assertThat(virtual.now()).isEqualTo(30);
        assertThat(queue.read(record)).isEqualTo(2);
        assertThat(queue.await(100)).isZero();
        assertThat(virtual.now()).isEqualTo(130);
    }

    /// Without an alarm in virtual time, and always in real time, another thread ends an endless wait. A year is
    /// endless, too ([io.verbs4j.abi.device.Deadline#FOREVER_NANOS]).
    @ParameterizedTest
    @CsvSource({"REAL, -1", "VIRTUAL, -1", "VIRTUAL, 31536000000000000"})
    void anotherThreadEndsAWait(Clock clock, long timeout) throws Exception {
        var waited = new EventQueue(clock == Clock.REAL ? real : virtual, 13);
        assertThat(await(waited, timeout, () -> waited.add(event(1, "a")))).isEqualTo(1);
        assertThat(waited.read(record)).isEqualTo(2);
        assertThat(await(waited, timeout, waited::wake)).isEqualTo(-Errno.EINTR);
        assertThat(await(waited, timeout, waited::close)).isEqualTo(-Errno.EBADF);
        assertThat(virtual.now()).isZero();
    }

    private static int await(EventQueue waited, long timeout, Runnable end) throws Exception {
        var wait = InThread.PLATFORM.start(() -> waited.await(timeout));
        Eventually.until(() -> wait.isWaiting() || wait.isDone(), () -> "the thread does not sleep");
        end.run();
        return wait.result();
    }

    /// No other thread fires an alarm that is set during a wait.
    @Test
    void aSleepingThreadFiresTheAlarmsOfOthers() throws Exception {
        Alarm raising = virtual.alarm(() -> queue.add(event(1, "a")));
        assertThat(await(queue, -1, () -> virtual.run(() -> raising.set(50)))).isEqualTo(1);
        assertThat(virtual.now()).isEqualTo(50);
    }

    /// A request that is repeated endlessly always has a next alarm.
    @ParameterizedTest
    @ValueSource(strings = {"interrupt", "wake", "close"})
    void aWaitEndsBetweenEndlessAlarms(String end) throws Exception {
        var fired = new AtomicInteger();
        var repeating = new Alarm[1];
        repeating[0] = virtual.alarm(() -> {
            fired.incrementAndGet();
            repeating[0].set(10);
        });
        virtual.run(() -> repeating[0].set(10));
        var wait = InThread.PLATFORM.start(() -> {
            int result = queue.await(-1);
            assertThat(Thread.currentThread().isInterrupted()).isEqualTo(end.equals("interrupt"));
            return result;
        });
        Eventually.until(() -> fired.get() > 0, () -> "no alarm fires");
        switch (end) {
            case "interrupt" -> wait.interrupt();
            case "wake" -> queue.wake();
            default -> queue.close();
        }
        assertThat(wait.result()).isEqualTo(end.equals("close") ? -Errno.EBADF : -Errno.EINTR);
    }

    /// The last alarm may fire after the wake-up.
    @Test
    void aWakeUpBeforeTheLastAlarmIsNotLost() throws Exception {
        virtual.alarm(queue::wake).set(10);
        assertThat(InThread.PLATFORM.start(() -> queue.await(-1)).result()).isEqualTo(-Errno.EINTR);
    }

    @Test
    void aWaitInRealTimeEndsAfterTheTimeout() throws Exception {
        var waited = new EventQueue(real, 14);
        waited.wake(); // no thread waits yet
        long start = System.nanoTime();
        assertThat(InThread.PLATFORM.get(() -> waited.await(Duration.ofMillis(20).toNanos()))).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
        Thread.currentThread().interrupt();
        assertThat(waited.await(-1)).isEqualTo(-Errno.EINTR);
        assertThat(Thread.interrupted()).isTrue();
        waited.add(event(1, "a"));
        assertThat(InThread.PLATFORM.get(() -> waited.await(Duration.ofSeconds(1).toNanos()))).isEqualTo(1);
    }

    /// Every call releases the queue, whatever its outcome.
    @Test
    void anotherThreadMayCallAfterwards() throws Exception {
        for (Runnable call : List.<Runnable>of(
                () -> queue.read(record),
                () -> queue.add(event(1, "a")),
                () -> queue.read(record.asSlice(0, 1)),
                () -> queue.read(record),
                () -> queue.withdraw("a"::equals),
                () -> queue.await(0),
                () -> queue.await(10),
                queue::isClosed,
                queue::wake,
                queue::close,
                () -> queue.read(record),
                () -> queue.await(-1))) {
            call.run();
            assertThat(InThread.PLATFORM.get(queue::fileDescriptor)).isEqualTo(12);
            InThread.PLATFORM.get(queue::isClosed);
        }
    }
}

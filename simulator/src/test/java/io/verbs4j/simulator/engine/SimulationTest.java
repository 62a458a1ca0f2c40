// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
    private static final long TIMEOUT_SECONDS = 20;

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final Simulation virtual = new Simulation(Clock.VIRTUAL);
    private final Simulation real = new Simulation(Clock.REAL);

    @AfterEach
    void close() {
        virtual.close();
        real.close();
    }

    private Task note(String text) {
        return () -> done.add(text + " at " + virtual.now());
    }

    private Alarm alarm(String text) {
        return virtual.alarm(note(text));
    }

    @Test
    void hasOneKindOfTime() {
        assertThat(virtual.waitsInVirtualTime()).isTrue();
        assertThat(real.waitsInVirtualTime()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> real.advance(1));
        assertThat(real.now()).isPositive();
    }

    @Test
    void runsTasksInTheirOrder() {
        virtual.run(() -> {
            virtual.addLast(note("last"));
            virtual.add(note("first"));
            virtual.add(() -> {
                done.add("second");
                virtual.addFirst(note("before the third"));
                virtual.run(() -> virtual.add(note("fourth"))); // within a task, only schedules
                done.add("end of the second");
            });
            virtual.add(note("third"));
            done.add("call");
        });
        assertThat(done)
                .containsExactly("call", "first at 0", "second", "end of the second", "before the third at 0",
                        "third at 0", "fourth at 0", "last at 0");
        assertThat(virtual.call(() -> 42)).isEqualTo(42);
    }

    @Test
    void alarmsFireAtTheirTimes() {
        alarm("b").set(20);
        alarm("c").set(20);
        alarm("a").set(10);
        alarm("d").set(21);
        virtual.advance(9);
        assertThat(done).isEmpty();
        virtual.advance(11);
        assertThat(done).containsExactly("a at 10", "b at 20", "c at 20");
        assertThat(virtual.now()).isEqualTo(20);
        virtual.advance(100);
        assertThat(done).last().isEqualTo("d at 21");
        assertThat(virtual.now()).isEqualTo(120);
    }

    @Test
    void anAlarmHasOneTime() {
        Alarm moved = alarm("later");
        moved.set(10);
        moved.set(30);
        Alarm earlier = alarm("earlier");
        earlier.set(30);
        earlier.set(5);
        Alarm cancelled = alarm("cancelled");
        cancelled.set(7);
        assertThat(cancelled.isSet()).isTrue();
        cancelled.cancel();
        cancelled.cancel();
        assertThat(cancelled.isSet()).isFalse();
        Alarm same = alarm("once");
        same.set(12);
        same.set(12);
        virtual.advance(29);
        assertThat(done).containsExactly("earlier at 5", "once at 12");
        assertThat(moved.isSet()).isTrue();
        virtual.advance(1);
        assertThat(done).last().isEqualTo("later at 30");
        assertThat(moved.isSet()).isFalse();
        moved.set(0);
        virtual.advance(0);
        assertThat(done).hasSize(4);
        cancelled.set(3);
        virtual.advance(100);
        assertThat(done).last().isEqualTo("cancelled at 33");
    }

    /// The clock advances while packets are in flight. Alarms that are due meanwhile also fire.
    @Test
    void packetsArriveBeforeACallEnds() {
        alarm("in time").set(30);
        alarm("later").set(51);
        virtual.run(() -> {
            virtual.travel(0, note("at once"));
            virtual.travel(50, note("arrival"));
            virtual.travel(40, () -> virtual.travel(10, note("second hop")));
        });
        assertThat(done)
                .containsExactly("at once at 0", "in time at 30", "arrival at 50", "second hop at 50");
        assertThat(virtual.now()).isEqualTo(50);
    }

    @Test
    void aWaitingThreadAdvancesToTheNextAlarm() {
        alarm("a").set(10);
        alarm("b").set(20);
        assertThat(virtual.advanceToNext(9)).isFalse();
        assertThat(virtual.now()).isZero();
        assertThat(virtual.advanceToNext(10)).isTrue();
        assertThat(done).containsExactly("a at 10");
        assertThat(virtual.advanceToNext(Long.MAX_VALUE)).isTrue();
        assertThat(done).containsExactly("a at 10", "b at 20");
        assertThat(virtual.advanceToNext(Long.MAX_VALUE)).isFalse();
        virtual.advanceTo(15);
        assertThat(virtual.now()).isEqualTo(20);
        virtual.advanceTo(25);
        assertThat(virtual.now()).isEqualTo(25);
    }

    @Test
    void worksAfterAFailedTask() {
        assertThatThrownBy(() -> virtual.run(() -> virtual.add(() -> {
            throw new IllegalArgumentException("of the task");
        }))).hasMessage("of the task");
        virtual.run(() -> virtual.add(note("next")));
        assertThat(done).containsExactly("next at 0");
    }

    /// Every call releases the simulation, whatever its outcome.
    @Test
    void anotherThreadMayCallAfterwards() throws Exception {
        virtual.run(() -> {});
        fromAnotherThread();
        virtual.call(() -> 1);
        fromAnotherThread();
        virtual.advance(1);
        fromAnotherThread();
        virtual.advanceToNext(10);
        fromAnotherThread();
        alarm("a").set(1);
        virtual.advanceToNext(10);
        fromAnotherThread();
        virtual.advanceTo(20);
        fromAnotherThread();
        assertThatThrownBy(() -> virtual.run(() -> {
            throw new IllegalArgumentException("of the call");
        })).hasMessage("of the call");
        fromAnotherThread();
        assertThatThrownBy(() -> virtual.call(() -> {
            throw new IllegalArgumentException("of the call");
        })).hasMessage("of the call");
        fromAnotherThread();
        virtual.close();
        fromAnotherThread();
    }

    private void fromAnotherThread() throws InterruptedException, ExecutionException, TimeoutException {
        var call = new FutureTask<>(() -> virtual.call(() -> 7));
        Thread.ofPlatform().daemon().start(call);
        assertThat(call.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void oneThreadAtATimeHoldsTheSimulation(Clock clock) throws Exception {
        try (var simulation = new Simulation(clock)) {
            var inside = new CountDownLatch(1);
            var leave = new CountDownLatch(1);
            var first = new FutureTask<>(() -> simulation.call(() -> {
                inside.countDown();
                await(leave);
                done.add("first");
                return 1;
            }));
            Thread.ofPlatform().daemon().start(first);
            await(inside);
            var second = new FutureTask<>(() -> simulation.call(() -> {
                done.add("second");
                return 2;
            }));
            Thread waiting = Thread.ofPlatform().daemon().start(second);
            while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            leave.countDown();
            assertThat(second.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(done).containsExactly("first", "second");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// With a real clock, a thread fires alarms.
    @Test
    void alarmsFireInRealTime() {
        var fired = new CountDownLatch(3);
        Alarm slow = real.alarm(() -> {
            done.add("slow");
            fired.countDown();
        });
        Alarm fast = real.alarm(() -> {
            done.add("fast");
            fired.countDown();
        });
        long start = System.nanoTime();
        real.run(() -> {
            slow.set(Duration.ofMillis(40).toNanos());
            fast.set(Duration.ofMillis(10).toNanos());
            real.travel(Duration.ofMillis(20).toNanos(), () -> {
                done.add("arrival");
                fired.countDown();
            });
        });
        await(fired);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(40).toNanos());
        assertThat(done).containsExactlyInAnyOrder("fast", "arrival", "slow");
    }

    @Test
    void laterAlarmsFireInRealTimeAfterAFailure() {
        var fired = new CountDownLatch(1);
        real.run(() -> {
            real.alarm(() -> {
                throw new IllegalArgumentException("of the alarm");
            }).set(0);
            real.alarm(fired::countDown).set(Duration.ofMillis(1).toNanos());
        });
        await(fired);
    }

    /// The thread that sleeps until an alarm wakes up for an earlier one.
    @Test
    void anEarlierAlarmWakesTheThread() {
        Set<Thread> before = threads();
        var fired = new CountDownLatch(1);
        real.run(() -> real.alarm(() -> done.add("slow")).set(Duration.ofSeconds(TIMEOUT_SECONDS).toNanos()));
        Thread sleeper = threads().stream().filter(thread -> !before.contains(thread)).findFirst().orElseThrow();
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        real.run(() -> real.alarm(fired::countDown).set(1000));
        await(fired);
        assertThat(done).isEmpty();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces()
                .keySet()
                .stream()
                .filter(thread -> thread.getName().equals("verbs4j-simulation"))
                .collect(Collectors.toSet());
    }

    @Test
    void noAlarmFiresAfterTheEnd() {
        alarm("a").set(1);
        virtual.close();
        virtual.advance(10);
        real.close();
        Set<Thread> before = threads();
        real.run(() -> real.alarm(note("b")).set(0));
        assertThat(threads()).isSubsetOf(before);
        assertThat(done).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Runs a simulated network sequentially: ready tasks in the order in which they became ready, and alarms at their
/// times.
///
/// There is no worker thread. The thread that calls the simulated kernel also executes the consequences of the call, up
/// to the completion at the other end of the wire, before the call returns. Therefore a message needs no thread switch.
/// One thread at a time holds the simulation. With a real clock, another thread sleeps until the next alarm.
public final class Simulation implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    /// Signalled when a thread that waits for an alarm must check again.
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Task> ready = new ArrayDeque<>();
    private final ArrayDeque<Task> last = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(
                    Comparator.<Alarm>comparingLong(alarm -> alarm.listedFor).thenComparingLong(a -> a.ticket));
    private final Clock clock;
    private final long start = System.nanoTime();
    /// Changed while holding the lock.
    private volatile long virtual;
    private long tickets;
    private int travelling;
    private boolean working;
    private @Nullable Thread sleeper;
    private long sleepsUntil = Long.MAX_VALUE;
    private boolean closed;

    /// @param clock the kind of time
    public Simulation(Clock clock) {
        this.clock = clock;
    }

    /// Returns whether waiting threads advance the time.
    public boolean waitsInVirtualTime() {
        return clock == Clock.VIRTUAL;
    }

    /// Returns the nanoseconds since the simulation began.
    public long now() {
        return clock == Clock.VIRTUAL ? virtual : System.nanoTime() - start;
    }

    /// Creates an alarm that is not set.
    public Alarm alarm(Task action) {
        return new Alarm(this, action);
    }

    /// Schedules a task after those that are ready. The caller holds the simulation.
    public void add(Task task) {
        ready.add(task);
    }

    /// Schedules a task before all others. The caller holds the simulation.
    public void addFirst(Task task) {
        ready.addFirst(task);
    }

    /// Schedules a task for when no other is left. The caller holds the simulation.
    public void addLast(Task task) {
        last.add(task);
    }

    /// Schedules the arrival of a packet or message after a time.
    public void travel(long nanos, Task arrival) {
        if (nanos == 0) {
            ready.add(arrival);
            return;
        }
        travelling++;
        alarm(() -> {
            travelling--;
            arrival.run();
        }).set(nanos);
    }

    /// Executes a call of the kernel and all its consequences.
    ///
    /// @return the result of the call
    public int call(IntSupplier call) {
        lock.lock();
        try {
            int result = call.getAsInt();
            settle();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /// Executes a call without a result, as [#call] does.
    public void run(Task call) {
        lock.lock();
        try {
            call.run();
            settle();
        } finally {
            lock.unlock();
        }
    }

    /// Advances virtual time.
    ///
    /// @throws IllegalStateException if the clock is real
    public void advance(long nanos) {
        if (clock != Clock.VIRTUAL) {
            throw new IllegalStateException("cannot advance real time: clock=" + clock);
        }
        lock.lock();
        try {
            long end = virtual + nanos;
            settle();
            while (!alarms.isEmpty() && alarms.element().listedFor <= end) {
                next();
                settle();
            }
            virtual = Math.max(virtual, end);
        } finally {
            lock.unlock();
        }
    }

    /// Advances virtual time to the next alarm, for a thread that waits.
    ///
    /// @param until the latest time to advance to
    /// @return whether there was an alarm
    public boolean advanceToNext(long until) {
        lock.lock();
        try {
            settle();
            if (alarms.isEmpty() || alarms.element().listedFor > until) {
                return false;
            }
            next();
            settle();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Sleeps in virtual time until another thread sets an alarm or calls [#wakeIdle()]. An interrupt ends the sleep
    /// and stays pending.
    ///
    /// @param isIdle whether the thread has nothing else to do; called while the thread holds the simulation
    public void sleepUntilAlarm(BooleanSupplier isIdle) {
        lock.lock();
        try {
            while (alarms.isEmpty() && isIdle.getAsBoolean()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes all threads in [#sleepUntilAlarm], so that they check again whether to sleep.
    public void wakeIdle() {
        if (clock == Clock.VIRTUAL) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Advances virtual time to a point before the next alarm.
    public void advanceTo(long until) {
        lock.lock();
        try {
            virtual = Math.max(virtual, until);
        } finally {
            lock.unlock();
        }
    }

    private void settle() {
        if (working) {
            return;
        }
        working = true;
        try {
            work();
            while (clock == Clock.VIRTUAL && travelling > 0) {
                next();
                work();
            }
        } finally {
            working = false;
        }
    }

    private void work() {
        Task task;
        while ((task = ready.isEmpty() ? last.poll() : ready.poll()) != null) {
            task.run();
        }
    }

    private void next() {
        Alarm alarm = alarms.remove();
        alarm.listed = false;
        if (clock == Clock.VIRTUAL) {
            virtual = Math.max(virtual, alarm.listedFor);
        }
        alarm.look();
    }

    /// Adds an alarm to the list, unless the list already contains this alarm with the same or an earlier time.
    void list(Alarm alarm, long due) {
        if (alarm.listed) {
            if (alarm.listedFor <= due) {
                return;
            }
            alarms.remove(alarm);
        }
        alarm.listed = true;
        alarm.listedFor = due;
        alarm.ticket = tickets++;
        alarms.add(alarm);
        wakeIdle();
        if (clock == Clock.REAL && due < sleepsUntil && !closed) {
            wakeSleeper();
        }
    }

    private void wakeSleeper() {
        if (sleeper == null) {
            sleeper = Thread.ofPlatform()
                    .name("verbs4j-simulation")
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .start(this::sleep);
        } else {
            changed.signal();
        }
    }

    /// Body of the thread for a real clock: sleeps until the next alarm is due.
    private void sleep() {
        lock.lock();
        try {
            while (!closed) {
                long left = alarms.isEmpty() ? Long.MAX_VALUE : alarms.element().listedFor - now();
                if (left <= 0) {
                    fire();
                    continue;
                }
                sleepsUntil = left == Long.MAX_VALUE ? left : now() + left;
                changed.await(left, TimeUnit.NANOSECONDS);
                sleepsUntil = Long.MIN_VALUE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Fires the next alarm. No caller learns of a failure, and later alarms need this thread.
    private void fire() {
        try {
            next();
            settle();
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable failure) {
        try {
            System.getLogger("io.verbs4j.simulator")
                    .log(System.Logger.Level.WARNING, "a timer of the simulation failed", failure);
        } catch (Throwable _) {
            // There is no heap left for a report.
        }
    }

    /// Ends the thread that waits for alarms. Timers no longer fire.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            alarms.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}

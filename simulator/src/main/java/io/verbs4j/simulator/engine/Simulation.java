// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Runs a simulated network, one thing after the other: tasks that are ready, in the order in which they became so,
/// and alarms at their times.
///
/// There is no thread that works: whoever makes a call of the simulated kernel also does what the call has set off, up to the
/// completion at the other end of the wire, before the call returns. So a message takes no switch of threads. One thread at a
/// time holds the simulation. With a real clock one more thread sleeps until the next alarm.
public final class Simulation implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final ArrayDeque<Task> ready = new ArrayDeque<>();
    private final ArrayDeque<Task> last = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(
                    Comparator.<Alarm>comparingLong(alarm -> alarm.listedFor).thenComparingLong(a -> a.ticket));
    private final Clock clock;
    private final long start = System.nanoTime();
    private long virtual;
    private long tickets;
    private int travelling;
    private boolean working;
    private @Nullable Thread sleeper;
    private long sleepsUntil = Long.MAX_VALUE;
    private boolean closed;

    /// @param clock how time passes
    public Simulation(Clock clock) {
        this.clock = clock;
    }

    /// Returns the course of time.
    public Clock clock() {
        return clock;
    }

    /// Returns whether a thread that waits lets time pass.
    public boolean waitsInVirtualTime() {
        return clock == Clock.VIRTUAL;
    }

    /// Nanoseconds since the simulation began.
    public long now() {
        return clock == Clock.VIRTUAL ? virtual : System.nanoTime() - start;
    }

    /// Makes an alarm, which is not set.
    public Alarm alarm(Task action) {
        return new Alarm(this, action);
    }

    /// Has a task done soon, by the thread that holds the simulation.
    public void add(Task task) {
        ready.add(task);
    }

    /// Has a task done before all others, by the thread that holds the simulation.
    public void addFirst(Task task) {
        ready.addFirst(task);
    }

    /// Has a task done when no other is left, by the thread that holds the simulation.
    public void addLast(Task task) {
        last.add(task);
    }

    /// Lets something travel, and arrive after a time.
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

    /// Makes a call of the kernel, and does all that it sets off.
    ///
    /// @return what the call returns
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

    /// As [#call], for what has no result.
    public void run(Task call) {
        lock.lock();
        try {
            call.run();
            settle();
        } finally {
            lock.unlock();
        }
    }

    /// Lets virtual time pass.
    ///
    /// @throws IllegalStateException if the clock is a real one
    public void advance(long nanos) {
        if (clock != Clock.VIRTUAL) {
            throw new IllegalStateException("real time passes by itself: clock=" + clock);
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

    /// Lets virtual time pass up to the next alarm, for a thread that waits.
    ///
    /// @param until no further than this
    /// @return whether there was one
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

    /// Passes virtual time without an alarm.
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

    /// Puts an alarm into the list, unless the list looks at it earlier anyway.
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
            earlier.signal();
        }
    }

    /// The thread for a real clock: sleeps until the next alarm is due.
    private void sleep() {
        lock.lock();
        try {
            while (!closed) {
                long left = alarms.isEmpty() ? Long.MAX_VALUE : alarms.element().listedFor - now();
                if (left <= 0) {
                    next();
                    settle();
                    continue;
                }
                sleepsUntil = left == Long.MAX_VALUE ? left : now() + left;
                earlier.await(left, TimeUnit.NANOSECONDS);
                sleepsUntil = Long.MIN_VALUE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Ends the thread that waits for alarms. Nothing happens by itself any more.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            alarms.clear();
            earlier.signal();
        } finally {
            lock.unlock();
        }
    }
}

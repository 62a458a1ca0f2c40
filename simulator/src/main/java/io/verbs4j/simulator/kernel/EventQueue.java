// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A file of events: a completion channel or a context's asynchronous events. In virtual time, waiting here advances
/// the time.
public final class EventQueue implements EventFile {
    /// A record, and the action that runs when it is read.
    ///
    /// @param source the object that raised it; null for a port
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Event(byte[] record, @Nullable Object source, Runnable read) {}

    private final Simulation simulation;
    private final int number;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private int wakings;
    private boolean closed;

    /// @param number the file descriptor
    public EventQueue(Simulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
    }

    void add(byte[] record, @Nullable KernelObject source, Runnable read) {
        add(new Event(record, source, read));
    }

    /// Adds an event.
    public void add(Event event) {
        lock.lock();
        try {
            if (!closed) {
                events.add(event);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        simulation.wakeIdle();
    }

    /// Removes unread events of a destroyed object.
    void forget(KernelObject source) {
        withdraw(source::equals);
    }

    /// Removes unread events of some sources.
    ///
    /// @return the removed events
    public List<Event> withdraw(Predicate<Object> isSource) {
        lock.lock();
        try {
            List<Event> withdrawn = events.stream()
                    .filter(event -> event.source != null && isSource.test(event.source))
                    .toList();
            events.removeAll(withdrawn);
            return withdrawn;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int fileDescriptor() {
        return number;
    }

    @Override
    public int read(MemorySegment record) {
        lock.lock();
        try {
            if (closed) {
                return -Errno.EBADF;
            }
            Event event = events.peek();
            if (event == null) {
                return -Errno.EAGAIN;
            }
            if (record.byteSize() < event.record.length) {
                return -Errno.EINVAL;
            }
            events.remove();
            event.read.run();
            record.asSlice(0, event.record.length).copyFrom(MemorySegment.ofArray(event.record));
            return event.record.length;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int await(long timeoutNanos) {
        return timeoutNanos == 0 || !simulation.waitsInVirtualTime()
                ? awaitReally(timeoutNanos)
                : awaitVirtually(timeoutNanos);
    }

    /// Returns the result of a wait that ends now; 0 if there is no reason to end.
    ///
    /// @param woken the value of `wakings` when the wait began
    private int look(int woken) {
        lock.lock();
        try {
            return closed ? -Errno.EBADF : !events.isEmpty() ? 1 : wakings != woken ? -Errno.EINTR : 0;
        } finally {
            lock.unlock();
        }
    }

    private int wakings() {
        lock.lock();
        try {
            return wakings;
        } finally {
            lock.unlock();
        }
    }

    /// Fires alarms until one raises an event. If no alarm is left, a wait without a limit sleeps until another thread
    /// raises an event or sets an alarm.
    private int awaitVirtually(long timeoutNanos) {
        boolean limited = timeoutNanos >= 0 && timeoutNanos < Deadline.FOREVER_NANOS;
        long end = limited ? simulation.now() + timeoutNanos : Long.MAX_VALUE;
        int woken = wakings();
        while (true) {
            int found = look(woken);
            if (found != 0) {
                return found;
            }
            if (Thread.currentThread().isInterrupted()) {
                return -Errno.EINTR;
            }
            if (!simulation.advanceToNext(end)) {
                if (limited) {
                    simulation.advanceTo(end);
                    return look(woken);
                }
                simulation.sleepUntilAlarm(() -> look(woken) == 0);
            }
        }
    }

    private int awaitReally(long timeoutNanos) {
        lock.lock();
        try {
            int woken = wakings;
            long left = timeoutNanos;
            int found;
            while ((found = look(woken)) == 0 && (timeoutNanos < 0 || left > 0)) {
                if (timeoutNanos < 0) {
                    changed.await();
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -Errno.EINTR;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            wakings++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        simulation.wakeIdle();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            events.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        simulation.wakeIdle();
    }
}

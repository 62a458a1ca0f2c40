// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

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
        int found = look();
        if (found != 0 || timeoutNanos == 0) {
            return found;
        }
        return simulation.waitsInVirtualTime() ? awaitVirtually(timeoutNanos) : awaitReally(timeoutNanos);
    }

    private int look() {
        lock.lock();
        try {
            return closed ? -Errno.EBADF : events.isEmpty() ? 0 : 1;
        } finally {
            lock.unlock();
        }
    }

    /// Fires alarms until one raises an event. If no alarm is left, only another thread can raise an event.
    private int awaitVirtually(long timeoutNanos) {
        long end = timeoutNanos < 0 ? Long.MAX_VALUE : simulation.now() + timeoutNanos;
        while (simulation.advanceToNext(end)) {
            int found = look();
            if (found != 0) {
                return found;
            }
        }
        if (timeoutNanos < 0) {
            return awaitReally(timeoutNanos);
        }
        simulation.advanceTo(end);
        return look();
    }

    private int awaitReally(long timeoutNanos) {
        lock.lock();
        try {
            int woken = wakings;
            long left = timeoutNanos;
            while (true) {
                if (closed) {
                    return -Errno.EBADF;
                }
                if (!events.isEmpty()) {
                    return 1;
                }
                if (wakings != woken) {
                    return -Errno.EINTR;
                }
                if (timeoutNanos < 0) {
                    changed.await();
                } else if (left <= 0) {
                    return 0;
                } else {
                    left = changed.awaitNanos(left);
                }
            }
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
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A file of events: a completion channel or a context's asynchronous events. With virtual time, waiting here is what lets time
/// pass.
final class EventQueue implements EventFile {
    /// A record, and what is to be counted when somebody reads it.
    private static final class Event {
        private final byte[] record;
        private final @Nullable KernelObject source;
        private final Runnable read;

        Event(byte[] record, @Nullable KernelObject source, Runnable read) {
            this.record = record;
            this.source = source;
            this.read = read;
        }
    }

    private final Simulation simulation;
    private final int number;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private int wakings;
    private boolean closed;

    EventQueue(Simulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
    }

    /// Brings an event.
    ///
    /// @param source the object that it is of; null for a port
    /// @param read what happens when it is read
    void add(byte[] record, @Nullable KernelObject source, Runnable read) {
        lock.lock();
        try {
            if (!closed) {
                events.add(new Event(record, source, read));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes back what nobody has read of an object that is destroyed.
    void forget(KernelObject source) {
        lock.lock();
        try {
            events.removeIf(event -> source.equals(event.source));
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

    /// Lets alarms go off until one brings an event. If none is left, only another thread can bring one.
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

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// One daemon thread, `verbs4j-event-poller`, that polls the files of all waiting virtual threads. The first of them
/// starts it.
///
/// A registration uses its file from its creation until this thread drops it between two polls. Therefore a file that
/// is closed meanwhile is really closed only when no poll can refer to its descriptor any more.
final class EventPoller implements Runnable {
    private static final long RETRY_NANOS = 10_000_000;
    private static final ReentrantLock STARTING = new ReentrantLock();
    private static volatile @Nullable EventPoller instance;

    private final WakeUp wakeUp = new WakeUp();
    private final ReentrantLock lock = new ReentrantLock();
    /// Guarded by the lock.
    private final List<Registration> registrations = new ArrayList<>();

    private final IntFunction<PollSet> creation;
    private int capacity = 16;
    private PollSet poll;
    /// The place of each file in the set.
    private final Map<FileDescriptor, Integer> places = new HashMap<>();

    /// @param creation creates a set with a capacity
    EventPoller(IntFunction<PollSet> creation) {
        this.creation = creation;
        this.poll = creation.apply(capacity);
    }

    /// A virtual thread's request to be unparked when a file is readable. Used once.
    static final class Registration {
        private final EventPoller poller;
        private final FileDescriptor file;
        private final Thread thread;
        private int place; // used by the thread that polls
        private volatile int result;
        private volatile boolean cancelled;

        private Registration(EventPoller poller, FileDescriptor file, Thread thread) {
            this.poller = poller;
            this.file = file;
            this.thread = thread;
        }

        /// Returns the result, as [PollSet#readiness(int)] does; 0 if there is none yet.
        int result() {
            return result;
        }

        /// Makes the poller drop the registration.
        void cancel() {
            if (result == 0) {
                cancelled = true;
                poller.wakeUp.signal();
            }
        }

        private void complete(int found) {
            result = found;
            LockSupport.unpark(thread);
        }

        private boolean isOver() {
            return cancelled || result != 0;
        }
    }

    /// Requests that `thread` is unparked when `file` is readable.
    ///
    /// @param file in use by the caller
    /// @throws io.verbs4j.types.ResourceLimitException if the poller needs a file descriptor and none is left
    static Registration register(FileDescriptor file, Thread thread) {
        return started().add(file, thread);
    }

    Registration add(FileDescriptor file, Thread thread) {
        var registration = new Registration(this, file, thread);
        if (file.acquire() < 0) {
            registration.result = -Errno.EBADF;
            return registration;
        }
        lock.lock();
        try {
            registrations.add(registration);
        } finally {
            lock.unlock();
        }
        wakeUp.signal();
        return registration;
    }

    private static EventPoller started() {
        EventPoller poller = instance;
        if (poller != null) {
            return poller;
        }
        STARTING.lock();
        try (var rollback = new Rollback()) {
            poller = instance;
            if (poller == null) {
                poller = rollback.make(
                        () -> new EventPoller(capacity -> new PollSet(Arena.ofAuto(), capacity)),
                        unstarted -> unstarted.wakeUp.close());
                Thread.ofPlatform()
                        .name("verbs4j-event-poller")
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .start(poller);
                instance = poller;
            }
            rollback.keep();
            return poller;
        } finally {
            STARTING.unlock();
        }
    }

    @Override
    public void run() {
        while (true) {
            try {
                pollOnce();
            } catch (Throwable e) { // such as OutOfMemoryError; all waiting virtual threads need this thread
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void pollOnce() {
        Registration[] present = present();
        int entries = arrange(present); // may replace the set
        int result = poll.poll(entries, -1);
        if (result == -Errno.EINTR) {
            return;
        }
        if (poll.readiness(0) != 0) {
            wakeUp.drain();
        }
        for (Registration registration : present) {
            int found = result < 0 ? result : poll.readiness(registration.place);
            if (found != 0) {
                registration.complete(found);
            }
        }
    }

    /// Drops finished registrations, and lists the rest.
    private Registration[] present() {
        lock.lock();
        try {
            var over = registrations.iterator();
            while (over.hasNext()) {
                Registration registration = over.next();
                if (registration.isOver()) {
                    over.remove();
                    registration.file.release();
                }
            }
            return registrations.toArray(Registration[]::new);
        } finally {
            lock.unlock();
        }
    }

    /// Gives each file one place, even if many threads wait for it: the kernel polls at most as many entries as the
    /// process may have open files (`do_sys_poll`, fs/select.c).
    ///
    /// @return the number of entries to poll
    private int arrange(Registration[] present) {
        if (present.length + 1 > capacity) {
            int larger = 2 * (present.length + 1);
            poll = creation.apply(larger);
            capacity = larger;
        }
        poll.set(0, wakeUp.number());
        places.clear();
        for (Registration registration : present) {
            Integer known = places.putIfAbsent(registration.file, places.size() + 1);
            if (known == null) {
                known = places.size();
                poll.set(known, registration.file.number());
            }
            registration.place = known;
        }
        return places.size() + 1;
    }
}

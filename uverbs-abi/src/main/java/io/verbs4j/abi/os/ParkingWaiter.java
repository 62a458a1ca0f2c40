// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import java.util.concurrent.locks.LockSupport;

/// A waiting virtual thread. A system call would block its carrier thread, so it parks, and [EventPoller] polls for it.
final class ParkingWaiter implements PollingWaiter {
    private final Thread thread = Thread.currentThread();
    private volatile int ended;

    @Override
    public int await(FileDescriptor file, long timeoutNanos) {
        int ready = PollSet.look(file.number());
        if (ready != 0) {
            return ready;
        }
        long start = System.nanoTime();
        EventPoller.Registration registration = EventPoller.register(file, thread);
        try {
            while (true) {
                if (registration.result() != 0) {
                    return registration.result();
                }
                if (ended != 0) {
                    return ended;
                }
                if (thread.isInterrupted()) {
                    return -Errno.EINTR;
                }
                if (timeoutNanos < 0) {
                    LockSupport.park(registration);
                } else {
                    long left = PollingWaiter.left(timeoutNanos, start);
                    if (left <= 0) {
                        return 0;
                    }
                    LockSupport.parkNanos(registration, left);
                }
            }
        } finally {
            registration.cancel();
        }
    }

    @Override
    public void end(int result) {
        ended = result;
        LockSupport.unpark(thread);
    }
}

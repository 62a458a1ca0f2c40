// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Acquires locks within the timeout of a socket.
final class TimedLock {
    private TimedLock() {}

    /// Acquires a lock. As in the JDK, an interrupt does not end the wait.
    ///
    /// @param millis the timeout; 0 for no limit
    /// @return the milliseconds that are left of the timeout, at least 1; 0 for no limit; -1 after the timeout
    static long lock(ReentrantLock lock, long millis) {
        if (millis == 0) {
            lock.lock();
            return 0;
        }
        if (lock.tryLock()) {
            return millis;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    boolean locked = lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return locked ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) : -1;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Waits of a platform thread in `ppoll`, on the file and a wake-up descriptor. Reusable, by one thread at a time.
final class BlockingWaiter implements PollingWaiter, AutoCloseable {
    private final WakeUp wakeUp = new WakeUp();
    private final PollSet poll = new PollSet(Arena.ofAuto(), 2);
    private volatile int ended;
    /// True if the wake-up was signalled during this wait.
    private volatile boolean signalled;

    @Override
    public int await(FileDescriptor file, long timeoutNanos) {
        poll.set(0, file.number());
        poll.set(1, wakeUp.number());
        var interruption = new Interruption(this::signal);
        interruption.start();
        try {
            return await(timeoutNanos);
        } finally {
            interruption.stop();
        }
    }

    private int await(long timeoutNanos) {
        long start = timeoutNanos < 0 ? 0 : System.nanoTime();
        long left = timeoutNanos;
        while (true) {
            int result = poll.poll(2, left);
            if (result < 0 && result != -Errno.EINTR) {
                return result;
            }
            if (result > 0 && poll.readiness(0) != 0) {
                return poll.readiness(0);
            }
            if (ended != 0) {
                return ended;
            }
            if (Thread.currentThread().isInterrupted()) {
                return -Errno.EINTR;
            }
            left = PollingWaiter.left(timeoutNanos, start);
            if (timeoutNanos >= 0 && left <= 0) {
                return 0;
            }
        }
    }

    @Override
    public void end(int result) {
        ended = result;
        signal();
    }

    private void signal() {
        signalled = true;
        wakeUp.signal();
    }

    /// Resets the waiter after a wait, when no thread can call [#end] any more.
    void reset() {
        ended = 0;
        if (signalled) {
            signalled = false;
            wakeUp.drain();
        }
    }

    @Override
    public void close() {
        wakeUp.close();
    }
}

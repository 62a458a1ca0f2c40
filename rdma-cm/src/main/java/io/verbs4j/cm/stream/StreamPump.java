// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Hands completions to a stream's protocol. Thread-safe.
///
/// One thread at a time takes completions, without the protocol's monitor. Other threads wait until that thread has
/// handed the completions over. If the stream belongs to a group, no thread waits in the completion queue: the group's
/// threads call [#onEvent()] and [#onDisconnected].
final class StreamPump {
    /// The longest wait in the completion queue of a stream without a group.
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// All bits of [Readiness], and [#IDLE].
    private static final int ALL = -1;
    /// No thread takes completions. Waiting threads treat this like a bit of [Readiness].
    private static final int IDLE = 1 << 31;

    private final StreamProtocol protocol;
    private final WaitingThreads waiting = new WaitingThreads();
    private final Completions completions;
    private final boolean grouped;
    private boolean taking; // guarded by the protocol's monitor
    private volatile @Nullable Runnable listener;
    // Created once, so that handling an event allocates nothing.
    private final Runnable handOver = this::handOver;

    /// @param grouped whether [#onEvent()] and [#onDisconnected] are called
    StreamPump(StreamProtocol protocol, Completions completions, boolean grouped) {
        this.protocol = protocol;
        this.completions = completions;
        this.grouped = grouped;
        protocol.onRefusal(this::onRefusal);
    }

    /// Sets an action that runs when the stream becomes ready for another operation. The action may run in any thread,
    /// and runs without locks.
    void listener(Runnable action) {
        listener = action;
    }

    int readiness() {
        synchronized (protocol) {
            return protocol.readiness();
        }
    }

    /// Takes completions and hands them over, unless another thread is doing so.
    void poll() {
        synchronized (protocol) {
            if (taking) {
                return;
            }
            taking = true;
        }
        try {
            completions.poll();
        } finally {
            change(handOver);
        }
    }

    /// Waits until the stream is ready for one of several operations.
    ///
    /// @param wanted bits of [Readiness]
    /// @param nanos the timeout; even with 0, available completions are handled first
    /// @return false after the timeout
    boolean await(int wanted, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if ((readiness() & wanted) != 0) {
            return true;
        }
        long deadline = Deadline.within(nanos);
        long left = nanos;
        boolean taken = false;
        while (true) {
            WaitingThreads.Place place = null;
            synchronized (protocol) {
                if ((protocol.readiness() & wanted) != 0) {
                    return true;
                }
                if (left <= 0 && (taken || taking)) {
                    return false;
                }
                if (taking || (taken && grouped)) {
                    place = waiting.enter(grouped ? wanted : wanted | IDLE);
                } else {
                    taking = true;
                }
            }
            if (place != null) {
                park(place, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            } else {
                take(grouped ? 0 : left, deadline);
                taken = true;
            }
            left = Deadline.left(deadline);
        }
    }

    /// Takes completions, and hands them over.
    ///
    /// @param nanos how long to wait in the completion queue at most; 0 or less not to wait
    /// @param deadline when `nanos` end
    private void take(long nanos, long deadline) throws InterruptedException {
        try {
            if (nanos <= 0) {
                completions.poll();
            } else {
                completions.awaitUntil(nanos <= POLL_NANOS ? deadline : present(nanos, deadline) + POLL_NANOS);
            }
        } finally {
            change(handOver);
        }
    }

    /// Returns the present time. Reads the clock only if the time cannot be computed: reading it may be a system call.
    private static long present(long left, long deadline) {
        return deadline == Deadline.NEVER ? System.nanoTime() : deadline - left;
    }

    /// Parks until another thread reports a bit that this thread waits for. May also return at the timeout, at an
    /// interrupt or without a reason.
    ///
    /// @param nanos the timeout
    private void park(WaitingThreads.Place place, long nanos) {
        if (nanos >= Deadline.FOREVER_NANOS) {
            LockSupport.park(this); // a virtual thread needs no timer
        } else {
            LockSupport.parkNanos(this, nanos);
        }
        place.leave();
    }

    /// Handles an event of the completion queue. Takes all completions, and arms the queue again.
    void onEvent() {
        takeAll(true);
    }

    /// Handles the end of the connection. If the device is gone, no completion reports this end.
    ///
    /// @param cause null if the connection has ended without an error
    void onDisconnected(@Nullable VerbsException cause) {
        try {
            takeAll(false); // what has arrived before
        } finally {
            change(() -> protocol.broken(cause));
        }
    }

    /// Handles a failed post. The posting thread holds the protocol's monitor, but the listener runs without locks.
    /// Therefore another thread informs the listener.
    private void onRefusal() {
        waiting.wake(ALL);
        Runnable informed = listener;
        if (informed != null) {
            Thread.ofVirtual().name("verbs4j failed stream").start(informed);
        }
    }

    private void takeAll(boolean arms) {
        boolean interrupted = false;
        try {
            boolean more = true;
            while (more) {
                WaitingThreads.Place place;
                synchronized (protocol) {
                    place = taking ? waiting.enter(IDLE) : null; // that thread may have polled too early
                    taking = true;
                }
                if (place != null) {
                    park(place, Long.MAX_VALUE);
                    interrupted |= Thread.interrupted();
                } else {
                    try {
                        more = arms ? completions.pollAndArm() : completions.poll();
                    } finally {
                        change(handOver);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Hands the completions over. Another thread may then take completions.
    private void handOver() {
        taking = false;
        if (!completions.isEmpty()) {
            completions.handTo(protocol);
            protocol.advance();
        }
    }

    /// Changes the protocol's state. Then wakes the threads that wait for the stream's readiness, and informs the
    /// listener of new readiness. A failed change also wakes and informs them. Otherwise, the thread that handles the
    /// events of all streams could wait forever.
    private void change(Runnable change) {
        int before = 0;
        int after = 0;
        try {
            synchronized (protocol) {
                before = protocol.readiness();
                try {
                    change.run();
                } finally {
                    after = protocol.readiness();
                }
            }
        } finally {
            waiting.wake(after | IDLE);
            Runnable informed = listener;
            if (informed != null && (after & ~before) != 0) {
                informed.run();
            }
        }
    }

    /// Makes the waiting threads check the readiness again.
    void wake() {
        waiting.wake(ALL);
    }
}

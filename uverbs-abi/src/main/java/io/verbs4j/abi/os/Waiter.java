// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// One thread that waits for one file descriptor. The kinds differ in how the thread sleeps: in a poll, in a read, or parked.
sealed interface Waiter permits PollingWaiter, ReadingWaiter {
    /// Ends the wait from another thread, unless it ends anyway.
    ///
    /// @param result what the wait shall return, negative
    void end(int result);

    /// Returns what is left of a time-out.
    ///
    /// @param timeoutNanos negative for no limit
    /// @param start `System.nanoTime()` of its beginning
    /// @return at most 0 if it is over, unless there is no limit
    static long left(long timeoutNanos, long start) {
        return timeoutNanos < 0 ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// One thread that waits for one file descriptor. The two kinds differ in how the thread sleeps: in a system call, or parked.
interface Waiter {
    /// Waits; the thread that calls is the one that waits.
    ///
    /// @param file in use by the caller for as long as this lasts
    /// @param timeoutNanos positive, or negative to wait without limit
    /// @return as [io.verbs4j.abi.device.EventFile#await(long)]
    int await(FileDescriptor file, long timeoutNanos);

    /// Ends the wait from another thread, unless it ends anyway.
    ///
    /// @param result what [#await] shall return, negative
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

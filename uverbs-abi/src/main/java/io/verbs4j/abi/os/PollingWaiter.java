// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// A thread that waits until a file is readable.
sealed interface PollingWaiter extends Waiter permits BlockingWaiter, ParkingWaiter {
    /// Waits in the calling thread.
    ///
    /// @param file used by the caller for the duration of the call
    /// @param timeoutNanos the longest wait, positive; a negative number waits indefinitely
    /// @return as [io.verbs4j.abi.device.EventFile#await(long)]
    int await(FileDescriptor file, long timeoutNanos);

    /// Returns the remaining timeout.
    ///
    /// @param timeoutNanos negative for no limit
    /// @param start `System.nanoTime()` of the wait's beginning
    /// @return 0 or less after the timeout, unless it is indefinite
    static long left(long timeoutNanos, long start) {
        return timeoutNanos < 0 ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
    }
}

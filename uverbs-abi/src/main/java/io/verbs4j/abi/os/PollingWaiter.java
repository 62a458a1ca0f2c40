// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// A thread that waits until a file can be read.
sealed interface PollingWaiter extends Waiter permits BlockingWaiter, ParkingWaiter {
    /// Waits; the thread that calls is the one that waits.
    ///
    /// @param file in use by the caller for as long as this lasts
    /// @param timeoutNanos positive, or negative to wait without limit
    /// @return as [io.verbs4j.abi.device.EventFile#await(long)]
    int await(FileDescriptor file, long timeoutNanos);

    /// Returns the remaining timeout.
    ///
    /// @param timeoutNanos negative for no limit
    /// @param start `System.nanoTime()` of its beginning
    /// @return 0 or less after the timeout, unless it is indefinite
    static long left(long timeoutNanos, long start) {
        return timeoutNanos < 0 ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
    }
}

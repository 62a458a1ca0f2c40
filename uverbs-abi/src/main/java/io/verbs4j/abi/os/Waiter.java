// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// One thread that waits for one file descriptor. The kinds differ in how the thread sleeps: in a poll, in a read, or
/// parked.
sealed interface Waiter permits PollingWaiter, ReadingWaiter {
    /// Ends the wait from another thread. Does nothing if it has already ended.
    ///
    /// @param result negative result of the wait
    void end(int result);
}

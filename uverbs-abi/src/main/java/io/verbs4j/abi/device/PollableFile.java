// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

/// An open file descriptor that threads can wait on.
///
/// Safe for use by many threads. After [#close()] every call returns `-EBADF`, also one that was waiting.
public interface PollableFile extends AutoCloseable {
    /// Returns the number of the file descriptor, which commands refer to; a negative number if there is none, as in a
    /// simulation.
    int fileDescriptor();

    /// Waits until the file can be read (`poll(2)` on the descriptor and on a private `eventfd(2)` for waking up).
    ///
    /// An interrupt of the calling thread ends the wait and stays pending. A virtual thread that waits here does not
    /// hold its carrier thread.
    ///
    /// @param timeoutNanos the longest wait in nanoseconds; 0 only checks, a negative number waits indefinitely
    /// @return 1 if a record is available, 0 after the timeout, `-EINTR` after an interrupt or [#wake()], `-EIO` if the
    ///     device is gone, otherwise a negated errno
    int await(long timeoutNanos);

    /// Makes all present waits return `-EINTR`.
    void wake();

    /// Ends all waits and closes the descriptor as soon as no call uses it. Closing a second time does nothing.
    @Override
    void close();
}

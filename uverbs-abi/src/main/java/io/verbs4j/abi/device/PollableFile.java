// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

/// An open file descriptor that threads can wait on.
///
/// Thread-safe. After [#close()] every call returns `-EBADF`; a waiting one, too.
public interface PollableFile extends AutoCloseable {
    /// Returns the number of the file descriptor, to which commands refer; a negative number if there is none, as in a
    /// simulation.
    int fileDescriptor();

    /// Returns whether the file's number is a real file descriptor, which an [io.verbs4j.abi.os.EventSet] can contain.
    default boolean isOfSystem() {
        return false;
    }

    /// Waits until the file is readable (`poll(2)` on the descriptor and on a private `eventfd(2)` for waking up).
    ///
    /// An interrupt of the calling thread ends the wait and stays pending. A waiting virtual thread does not block its
    /// carrier thread.
    ///
    /// @param timeoutNanos the longest wait in nanoseconds; 0 only checks, a negative number waits indefinitely
    /// @return 1 if a record is available, 0 after the timeout, `-EINTR` after an interrupt or [#wake()], `-EIO` if the
    ///     device is gone, otherwise a negated errno
    int await(long timeoutNanos);

    /// Makes all current waits return `-EINTR`.
    void wake();

    /// Ends all waits and closes the descriptor as soon as no call uses it. Idempotent.
    @Override
    void close();
}

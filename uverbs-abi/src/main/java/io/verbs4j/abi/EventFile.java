// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import java.lang.foreign.MemorySegment;

/// A file descriptor that the kernel sends event records to: a completion channel or the asynchronous events of a context.
///
/// Safe for use by many threads. After [#close()] every call answers `-EBADF`, also one that was waiting.
public interface EventFile extends AutoCloseable {
    /// The number of the file descriptor, which commands refer to.
    int fileDescriptor();

    /// Waits until a record can be read (`poll(2)` on the descriptor and on a private `eventfd(2)` for waking up).
    ///
    /// An interrupt of the calling thread ends the wait and stays pending. A virtual thread that waits here does not hold
    /// its carrier thread.
    ///
    /// @param timeoutNanos the longest wait in nanoseconds; 0 only looks, a negative number waits without limit
    /// @return 1 if a record can be read, 0 after the timeout, `-EINTR` after an interrupt or [#wake()], `-EIO` if the device
    ///     is gone, else a negated error number
    int await(long timeoutNanos);

    /// `read(fd, record, length)`: takes one record. Never waits, also not after [#await(long)] has seen one: another thread may
    /// have taken it, and the kernel takes back the events of an object that is destroyed (`ib_uverbs_release_ucq`,
    /// uverbs_main.c).
    ///
    /// @return the number of bytes, `-EAGAIN` if there is no record, or another negated error number
    int read(MemorySegment record);

    /// Makes all present waits return `-EINTR`.
    void wake();

    /// Ends all waits and closes the descriptor as soon as no call uses it.
    @Override
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.lang.foreign.MemorySegment;

/// A file descriptor that the kernel sends event records to: a completion channel or the asynchronous events of a context.
public interface EventFile extends PollableFile {
    /// `read(fd, record, length)`: takes one record. Never waits, also not after [#await(long)] has seen one: another thread may
    /// have taken it, and the kernel takes back the events of an object that is destroyed (`ib_uverbs_release_ucq`,
    /// uverbs_main.c).
    ///
    /// @return the number of bytes, `-EAGAIN` if there is no record, or another negated error number
    int read(MemorySegment record);

    /// Waits for a record, and takes it: [#await] and [#read] in one. A file of the kernel spares a system call where it can,
    /// by a `read(2)` that waits. One thread at a time may do so.
    ///
    /// @param timeoutNanos the longest wait in nanoseconds; 0 only looks, a negative number waits without limit
    /// @return the number of bytes, 0 after the timeout, `-EINTR` after an interrupt or [#wake()], `-EAGAIN` if a record was
    ///     there and is gone, or another negated error number
    default int take(MemorySegment record, long timeoutNanos) {
        int ready = await(timeoutNanos);
        return ready <= 0 ? ready : read(record);
    }

    /// Waits for a record until a deadline, and takes it, as [#take] does. Spares looks at the clock, which is a system call on
    /// some machines: a file of the kernel does not reckon how long is left until something ends its `read(2)`.
    ///
    /// @param deadline by `System.nanoTime()`; after it a record that is there is taken
    /// @return as [#take]
    default int takeBy(MemorySegment record, long deadline) {
        return take(record, Math.max(0, deadline - System.nanoTime()));
    }
}

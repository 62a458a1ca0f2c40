// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.lang.foreign.MemorySegment;

/// A file descriptor on which the kernel reports event records: a completion channel or the asynchronous events of a
/// context.
public interface EventFile extends PollableFile {
    /// `read(fd, record, length)`: takes one record. Never blocks. There may be no record even after [#await(long)] has
    /// reported one: another thread may have taken it, and the kernel removes the events of a destroyed object
    /// (`ib_uverbs_release_ucq`, uverbs_main.c).
    ///
    /// @return the number of bytes, `-EAGAIN` if there is no record, or another negated errno
    int read(MemorySegment record);

    /// Waits for a record, and takes it: [#await] and [#read] combined. The file of a kernel uses a blocking `read(2)`
    /// if possible, to save a system call. One thread at a time.
    ///
    /// @param timeoutNanos the longest wait in nanoseconds; 0 only checks, a negative number waits indefinitely
    /// @return the number of bytes, 0 after the timeout, `-EINTR` after an interrupt or [#wake()], `-EAGAIN` if the
    ///     record was taken meanwhile, or another negated errno
    default int take(MemorySegment record, long timeoutNanos) {
        int ready = await(timeoutNanos);
        return ready <= 0 ? ready : read(record);
    }

    /// Waits for a record until a deadline, and takes it, as [#take] does. Avoids clock reads, which are system calls
    /// on some machines: the file of a kernel computes the remaining time only when its `read(2)` ends.
    ///
    /// @param deadline by `System.nanoTime()`; an available record is taken even after it
    /// @return as [#take]
    default int takeBy(MemorySegment record, long deadline) {
        return take(record, Deadline.left(deadline));
    }
}

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
}

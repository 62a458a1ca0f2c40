// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import java.util.concurrent.locks.ReentrantLock;

/// Refuses to raise the number of incoming reads of a queue pair.
///
/// The kernel clears the old table of reads with the new size (`rxe_qp_from_attr`, then `free_rd_atomic_resources`,
/// rxe_qp.c). With a larger size, the kernel writes beyond the table and soon crashes. A reset keeps the table. Linux
/// 6.1 has this defect; there is no way to detect fixed kernels.
public final class RaisedReads {
    private final ReentrantLock lock = new ReentrantLock();
    /// Capacity of the kernel's table of incoming reads and atomics; -1 without a table.
    private int room = -1; // guarded by the lock

    /// Creates the check for a new queue pair.
    public RaisedReads() {}

    /// Runs a command that changes the number of incoming reads.
    public void change(QueuePairAttributes attributes, Runnable command) {
        int wanted = attributes.maxDestinationReadAtomic();
        int rounded = wanted == 0 ? 0 : Integer.highestOneBit(2 * wanted - 1); // as the kernel rounds it
        lock.lock();
        try {
            if (room >= 0 && rounded > room) {
                throw KernelErrors.failure(
                        ModifyQueuePair.SPECIFICATION,
                        Errno.EOPNOTSUPP,
                        "rxe cannot raise maxDestinationReadAtomic from " + room + " to " + rounded
                                + ", even after a reset: the kernel would corrupt its memory; create another"
                                + " queue pair");
            }
            command.run();
            room = rounded;
        } finally {
            lock.unlock();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;

/// Avoids a failed resize of a shared receive queue, and detects whether the kernel has lost the ring.
///
/// When a resize fails, Linux 6.1 frees the ring and keeps a null pointer (`rxe_srq_from_attr`, rxe_srq.c). The next
/// command about the queue, or the next message, dereferences that pointer. Therefore, a ring that is too small for the
/// queue's receives is not requested. If a resize fails with an error other than `EINVAL`, only the command that
/// destroys the queue may be sent. `EINVAL` is harmless, because only an earlier check of the attributes
/// (`rxe_srq_chk_attr`) returns it.
public final class ShrunkReceiveQueue {
    private ShrunkReceiveQueue() {}

    /// Refuses a ring that is too small.
    ///
    /// @param waiting upper bound of the number of receives in the queue
    public static void requireRoom(int maxWorkRequests, int waiting) {
        int capacity = (Integer.highestOneBit(maxWorkRequests) << 1) - 1; // as the kernel rounds it
        if (capacity < waiting) {
            throw KernelErrors.failure(
                    ModifySharedReceiveQueue.SPECIFICATION,
                    Errno.EINVAL,
                    waiting + " receives are waiting, but a queue for " + maxWorkRequests + " would hold " + capacity);
        }
    }

    /// Returns whether the kernel has lost the ring after a resize failed.
    public static boolean hasLostRing(VerbsException failure, KernelRelease kernel) {
        return failure.errno() != Errno.EINVAL && !(failure instanceof DeviceGoneException) && kernel.isBefore(6, 12);
    }
}

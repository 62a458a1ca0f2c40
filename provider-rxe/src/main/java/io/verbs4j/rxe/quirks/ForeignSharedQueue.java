// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.spi.ProviderSharedReceiveQueue;

/// Refuses a shared receive queue of another protection domain than the queue pair's.
///
/// rxe looks up the memory of a receive in the queue pair's domain (`copy_data`, rxe_mr.c), but that memory belongs to
/// the domain of the shared receive queue.
public final class ForeignSharedQueue {
    private ForeignSharedQueue() {}

    /// Refuses the queue if its domain differs from the queue pair's.
    ///
    /// @param owner handle of the shared receive queue's domain
    /// @param user handle of the queue pair's domain
    public static void refuse(ProviderSharedReceiveQueue queue, int owner, int user) {
        if (user != owner) {
            throw new IllegalArgumentException("shared receive queue " + queue.number()
                    + " belongs to another protection domain than the queue pair: under rxe none of its receives"
                    + " would work");
        }
    }
}

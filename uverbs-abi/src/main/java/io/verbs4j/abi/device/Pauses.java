// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.util.concurrent.locks.LockSupport;

/// Pauses between the attempts of a thread that must not give up, even if it is interrupted.
public final class Pauses {
    private Pauses() {}

    /// Pauses, and clears the thread's interrupt. While a thread is interrupted, [LockSupport] does not pause. An
    /// interrupted virtual thread would keep its carrier thread, which the other virtual threads may need.
    ///
    /// @return whether the thread was interrupted. If any pause returns true, the caller interrupts its thread after
    ///     the last attempt
    public static boolean uninterruptible(long nanos) {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(nanos);
        return interrupted;
    }
}

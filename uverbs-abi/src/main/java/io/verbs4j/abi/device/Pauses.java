// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.util.concurrent.locks.LockSupport;

/// Pauses between the attempts of a thread that must not give up, even if it is interrupted. While a thread is
/// interrupted, [LockSupport] does not pause. An interrupted virtual thread would keep its carrier thread, which the
/// other virtual threads may need. Therefore, a pause clears the thread's interrupt, and [#close()] sets it again.
/// Confined to one thread.
public final class Pauses implements AutoCloseable {
    private boolean interrupted;

    /// Without any pause yet.
    public Pauses() {}

    /// Pauses for at most this time.
    public void pause(long nanos) {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(nanos);
    }

    @Override
    public void close() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

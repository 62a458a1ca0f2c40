// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/// Runs an action when a platform thread that waits in a system call is interrupted.
///
/// The JDK closes an interruptible channel when its thread is interrupted. This is the public way to let an interrupt
/// end a system call. The channel is then closed, and cannot be used for another wait.
final class Interruption extends AbstractInterruptibleChannel {
    private final Runnable action;

    /// @param action called by the interrupting thread, or by the current thread if it was interrupted before
    Interruption(Runnable action) {
        this.action = action;
    }

    /// From now on, an interrupt runs the action; a pending one, too.
    void start() {
        begin();
    }

    /// Stops the handling of interrupts. An earlier interrupt stays pending.
    void stop() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            // The thread's own interrupt status has already reported the interrupt.
        }
    }

    @Override
    protected void implCloseChannel() {
        action.run();
    }
}

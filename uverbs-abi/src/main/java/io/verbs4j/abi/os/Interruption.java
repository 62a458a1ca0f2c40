// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/// Runs an action when a platform thread that waits in a system call is interrupted.
///
/// The JDK calls an interruptible channel when its thread is interrupted; this is the public way to have an interrupt
/// end a system call. Such a channel is closed by the interrupt, and cannot serve another wait then.
final class Interruption extends AbstractInterruptibleChannel {
    private final Runnable action;

    /// @param action called by the thread that interrupts, or by the present one if it has been interrupted before
    Interruption(Runnable action) {
        this.action = action;
    }

    /// From here on an interrupt, also one that is pending, runs the action.
    void start() {
        begin();
    }

    /// Ends the handling of interrupts. An earlier one stays pending.
    void stop() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            // The interrupt was seen by the thread's own flag.
        }
    }

    @Override
    protected void implCloseChannel() {
        action.run();
    }
}

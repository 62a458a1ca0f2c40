// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Takes the events of a channel in a virtual thread of its own, until the channel is closed: ends of connections must be answered
/// although no program asks for them.
final class EventPump {
    private static final long PAUSE_NANOS = 10_000_000;

    private EventPump() {}

    /// Starts to take events.
    ///
    /// @param handler must not wait for other events
    static void start(EventChannel channel, Consumer<CmEvent> handler) {
        Thread.ofVirtual().name("verbs4j " + channel).start(() -> run(channel, handler));
    }

    private static void run(EventChannel channel, Consumer<CmEvent> handler) {
        while (!channel.isClosed()) {
            try {
                channel.await().ifPresent(handler);
            } catch (InterruptedException e) {
                // Nobody but a closing channel has a reason to interrupt this thread.
            } catch (RuntimeException e) {
                if (channel.isClosed()) {
                    return;
                }
                Log.LOGGER.log(Level.WARNING, "an event of " + channel + " could not be handled; others are", e);
                // If the kernel refuses events for good, this must not keep a processor busy.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}

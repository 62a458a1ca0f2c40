// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Takes the events of a channel in a virtual thread of its own, until the channel is closed: ends of connections must be answered
/// although no program asks for them.
final class EventPump {
    private static final Duration LONG = Duration.ofDays(365);
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
                channel.await(LONG).ifPresent(handler);
            } catch (IllegalStateException | InterruptedException e) {
                if (channel.isClosed()) {
                    return;
                }
            } catch (VerbsException e) {
                // Of the kernel's or a handler's command: what it was about has failed, and says so to who waits for it. If the
                // kernel refuses events for good, this must not keep a processor busy.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}

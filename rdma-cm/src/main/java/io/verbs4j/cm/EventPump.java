// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.util.function.Consumer;

/// Takes the events of a channel in a thread of its own until the channel is closed. Disconnect requests must be
/// answered even if no program thread reads events.
final class EventPump {
    private EventPump() {}

    /// Starts to take the events of one connection.
    ///
    /// @param handler must not wait for other events
    static void start(EventChannel channel, Consumer<CmEvent> handler) {
        Thread.ofVirtual().name("verbs4j " + channel).start(() -> run(channel, handler));
    }

    /// Starts to take the events of many connections, in a platform thread. The kernel wakes this thread directly.
    /// Other threads wait for it while they connect or accept.
    ///
    /// @param handler must not wait for other events
    static void startShared(EventChannel channel, Consumer<CmEvent> handler) {
        Thread.ofPlatform()
                .name("verbs4j " + channel)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(() -> run(channel, handler));
    }

    private static void run(EventChannel channel, Consumer<CmEvent> handler) {
        while (!channel.isClosed()) {
            try {
                channel.await().ifPresent(handler);
            } catch (InterruptedException e) {
                // Only a closing channel interrupts this thread.
            } catch (Throwable e) {
                if (channel.isClosed()) {
                    return;
                }
                Log.survived(channel, e);
            }
        }
    }
}

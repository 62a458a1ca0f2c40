// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// One completion channel for many completion queues of a device. A daemon thread dispatches its events until the
/// channel is closed.
final class CompletionEvents {
    private static final Duration LONG = Duration.ofDays(365);
    private static final long PAUSE_NANOS = 10_000_000;

    private final CompletionChannel channel;
    private final Map<CompletionQueue, Runnable> handlers = new ConcurrentHashMap<>();

    CompletionEvents(Context context) {
        channel = context.createCompletionChannel();
        Thread.ofPlatform()
                .name("verbs4j completions of " + context.device().name())
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(this::run);
    }

    CompletionChannel channel() {
        return channel;
    }

    void handle(CompletionQueue queue, Runnable handler) {
        handlers.put(queue, handler);
    }

    void forget(CompletionQueue queue) {
        handlers.remove(queue);
    }

    private void run() {
        while (true) {
            try {
                CompletionQueue queue = channel.take(LONG);
                Runnable handler = queue == null ? null : handlers.get(queue);
                if (handler != null) {
                    handler.run();
                }
            } catch (InterruptedException e) {
                // Only this class has a reference to the thread, so an interrupt has no meaning.
            } catch (IllegalStateException e) {
                return; // the channel is closed: handlers do not throw this
            } catch (RuntimeException e) {
                Log.LOGGER.log(Level.WARNING, "cannot handle an event of " + channel + "; continuing with the next", e);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}

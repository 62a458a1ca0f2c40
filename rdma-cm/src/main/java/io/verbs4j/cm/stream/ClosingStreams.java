// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Closes streams in virtual threads. While the JVM shuts down, a hook waits for these threads, so that written bytes
/// arrive. Calls that close further streams then also wait.
final class ClosingStreams {
    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();
    /// Whether the JVM is shutting down, so that the hook may miss further threads.
    private static volatile boolean shuttingDown;

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ClosingStreams::await, "verbs4j-closing-streams"));
        } catch (IllegalStateException e) { // too late for a hook
            shuttingDown = true;
        }
    }

    private ClosingStreams() {}

    /// Starts a task whose duration is limited. While the JVM shuts down, also waits for the task.
    static void start(Runnable task) {
        Thread thread = Thread.ofVirtual().name("verbs4j closing stream").unstarted(() -> {
            try {
                task.run();
            } finally {
                THREADS.remove(Thread.currentThread());
            }
        });
        THREADS.add(thread);
        thread.start();
        if (shuttingDown) {
            join(thread);
        }
    }

    /// Waits for all tasks. From now on, [#start] waits, too.
    static void await() {
        shuttingDown = true;
        THREADS.forEach(ClosingStreams::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

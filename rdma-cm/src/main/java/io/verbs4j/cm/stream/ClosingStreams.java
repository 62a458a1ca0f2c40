// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Closes streams in virtual threads. A shutdown hook waits for these threads, so that written bytes arrive.
final class ClosingStreams {
    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ClosingStreams::await, "verbs4j-closing-streams"));
    }

    private ClosingStreams() {}

    /// Starts a task whose duration is limited.
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
    }

    private static void await() {
        try {
            for (Thread thread : THREADS) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

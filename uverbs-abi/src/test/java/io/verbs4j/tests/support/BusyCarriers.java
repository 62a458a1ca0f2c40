// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.util.concurrent.CountDownLatch;

/// Occupies all carrier threads of virtual threads except one. Then, as on a machine with one processor, a virtual
/// thread that waits without parking stops all others.
public final class BusyCarriers implements AutoCloseable {
    private volatile boolean closed;

    /// Occupies the carrier threads until the close.
    public BusyCarriers() {
        int others = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors()) - 1;
        var running = new CountDownLatch(others);
        for (int i = 0; i < others; i++) {
            Thread.startVirtualThread(() -> {
                running.countDown();
                while (!closed) {
                    Thread.onSpinWait();
                }
            });
        }
        Eventually.until(() -> running.getCount() == 0, () -> running.getCount() + " carrier threads are not there");
    }

    @Override
    public void close() {
        closed = true;
    }
}

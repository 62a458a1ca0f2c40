// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import org.jspecify.annotations.Nullable;

/// Which thread has a batch open. A batch object is used again and again; a thread that still holds a reference from an
/// earlier use must not reach into another thread's batch.
final class BatchOwner {
    private final String what;
    private @Nullable Thread thread;

    /// @param what the batch's name for errors
    BatchOwner(String what) {
        this.what = what;
    }

    /// Opens the batch for this thread.
    void begin() {
        requireIdle();
        thread = Thread.currentThread();
    }

    void end() {
        thread = null;
    }

    /// Whether this thread has the batch open.
    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    boolean isHere() {
        return thread == Thread.currentThread();
    }

    void requireHere() {
        if (!isHere()) {
            throw new IllegalStateException("this " + what + " is not open in this thread");
        }
    }

    void requireIdle() {
        if (thread != null) {
            throw open();
        }
    }

    /// Refuses what would end the batch under this thread's own hands.
    void requireNotHere() {
        if (isHere()) {
            throw open();
        }
    }

    private IllegalStateException open() {
        return new IllegalStateException("a " + what + " is open: submit or close it first");
    }
}

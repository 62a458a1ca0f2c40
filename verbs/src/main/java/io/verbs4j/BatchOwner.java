// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Which thread has a batch open. A batch object is used again and again; a thread that still holds a reference from an
/// earlier use must not reach into another thread's batch.
///
/// Threads are known by their numbers. To store a reference would cost at each batch what the garbage collector wants to be
/// told of it.
final class BatchOwner {
    /// Numbers of threads are positive.
    private static final long NOBODY = 0;

    private final String what;
    private long thread;

    /// @param what the batch's name for errors
    BatchOwner(String what) {
        this.what = what;
    }

    /// Opens the batch for this thread.
    void begin() {
        requireIdle();
        thread = Thread.currentThread().threadId();
    }

    void end() {
        thread = NOBODY;
    }

    /// Whether this thread has the batch open.
    boolean isHere() {
        return thread == Thread.currentThread().threadId();
    }

    void requireHere() {
        if (!isHere()) {
            throw new IllegalStateException("this " + what + " is not open in this thread");
        }
    }

    void requireIdle() {
        if (thread != NOBODY) {
            throw open();
        }
    }

    /// Refuses what would end the batch under this thread's own hands.
    void requireNotHere() {
        if (isHere()) {
            throw open();
        }
    }

    @Override
    public String toString() {
        return what;
    }

    private IllegalStateException open() {
        return new IllegalStateException("a " + what + " is open: submit or close it first");
    }
}

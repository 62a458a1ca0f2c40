// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.heap;

import org.jspecify.annotations.Nullable;

/// Called by rewritten classes before they allocate. Public, since they are in other packages.
public final class HeapHooks {
    private static volatile @Nullable Thread watched;
    private static int paused;
    private static int left;
    private static boolean struck;

    private HeapHooks() {}

    /// Makes an allocation of the calling thread fail.
    ///
    /// @param allocation number of the allocation, from 1
    static void arm(int allocation) {
        left = allocation;
        struck = false;
        paused = 0;
        watched = Thread.currentThread();
    }

    /// Makes further allocations succeed.
    ///
    /// @return whether one has failed
    static boolean disarm() {
        watched = null;
        return struck;
    }

    /// Starts what has a heap of its own: a simulated kernel.
    static void pause() {
        if (isWatched()) {
            paused++;
        }
    }

    static void resume() {
        if (isWatched()) {
            paused--;
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    private static boolean isWatched() {
        return watched == Thread.currentThread();
    }

    /// A class is about to allocate.
    public static void allocates() {
        if (!isWatched() || paused > 0 || struck) {
            return;
        }
        if (--left == 0) {
            struck = true;
            throw new OutOfMemoryError("made by a test");
        }
    }
}

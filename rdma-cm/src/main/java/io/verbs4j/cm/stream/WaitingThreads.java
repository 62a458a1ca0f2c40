// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads that wait for a stream, each for some bits of [Readiness]. Their places are used again, so waiting
/// allocates nothing, unlike with a [java.util.concurrent.locks.Condition]. The caller of [#enter] holds the protocol's
/// monitor.
final class WaitingThreads {
    /// The place of a waiting thread, and later of another one.
    static final class Place {
        private volatile @Nullable Thread thread;
        private int wanted;

        /// Removes the thread.
        void leave() {
            thread = null;
        }
    }

    private volatile Place[] places = {};

    /// Adds the current thread. The caller then releases the monitor and parks.
    ///
    /// @param wanted the bits that the thread waits for
    Place enter(int wanted) {
        Place[] present = places;
        int at = 0;
        while (at < present.length && present[at].thread != null) {
            at++;
        }
        if (at == present.length) {
            present = Arrays.copyOf(present, at + 1);
            present[at] = new Place();
            places = present;
        }
        present[at].wanted = wanted;
        present[at].thread = Thread.currentThread();
        return present[at];
    }

    /// Unparks the threads that wait for one of several bits. Needs no monitor: a thread that enters or leaves
    /// meanwhile checks the stream's readiness itself.
    void wake(int ready) {
        for (Place place : places) {
            Thread thread = place.thread;
            if (thread != null && (place.wanted & ready) != 0) {
                LockSupport.unpark(thread);
            }
        }
    }
}

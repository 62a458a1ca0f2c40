// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The keys that a selector has to check. Any thread pushes keys, and the thread that selects takes them. The stack
/// contains a key at most once, because a thread marks the key before it pushes the key. Pushing allocates nothing,
/// because the keys are linked.
final class KeyStack {
    private final AtomicReference<@Nullable MixedKey> top = new AtomicReference<>();
    private @Nullable MixedKey taken; // used by the thread that selects

    /// Pushes a key that this thread has [marked][MixedKey#enter()].
    void push(MixedKey key) {
        MixedKey before;
        do {
            before = top.get();
            key.below(before);
        } while (!top.compareAndSet(before, key));
    }

    boolean isEmpty() {
        return top.get() == null;
    }

    /// Takes all keys, unless keys of a former call are left. [#next()] returns them one by one. Keys that are pushed
    /// later are not among them.
    void take() {
        if (taken == null) { // not null if an exception has ended the former loop
            taken = top.getAndSet(null);
        }
    }

    /// Returns one of the taken keys, which may be pushed again from now on; null after the last one.
    @Nullable
    MixedKey next() {
        MixedKey key = taken;
        if (key != null) {
            taken = key.leave();
        }
        return key;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.util.ArrayDeque;
import java.util.Deque;

/// What to undo if a sequence of steps does not get to its end. Used as a resource of `try`: each step that succeeded
/// adds how it is undone, and [#keep()] says that all did.
final class Rollback implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /// Adds a step, to be run before those that were added earlier.
    void add(Runnable undo) {
        steps.push(undo);
    }

    /// Nothing is to be undone.
    void keep() {
        steps.clear();
    }

    /// Undoes what was added, all of it even if a step fails. `try` attaches such a failure to the one that led here.
    @Override
    public void close() {
        RuntimeException first = null;
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}

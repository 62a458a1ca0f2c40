// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import java.util.ArrayDeque;
import java.util.Deque;

/// Undoes a sequence of steps that does not get to its end. Used as a resource of `try`: each step that succeeded
/// adds how it is undone, and [#keep()] says that all did.
public final class Rollback implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /// Nothing is to be undone yet.
    public Rollback() {}

    /// Adds a step, to be run before those that were added earlier.
    public void add(Runnable undo) {
        steps.push(undo);
    }

    /// Keeps all steps: nothing is to be undone.
    public void keep() {
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

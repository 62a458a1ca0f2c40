// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Undoes an incomplete sequence of steps. Programs use it as a resource of `try`: each successful step adds its undo
/// action, and [#keep()] marks the sequence as complete.
public class Rollback implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /// Creates a rollback without steps.
    public Rollback() {}

    /// Adds an undo action, which runs before the actions that were added earlier.
    public void add(Runnable undo) {
        steps.push(undo);
    }

    /// Creates an object, and adds its destruction as an undo action. The method allocates nothing after the creation,
    /// so that a lack of heap cannot leak the object.
    ///
    /// @param making creates the object
    /// @param undoing destroys the object
    public <T> T make(Supplier<T> making, Consumer<T> undoing) {
        var step = new Step<>(undoing);
        steps.push(step);
        T made = making.get();
        step.made = made;
        return made;
    }

    private static final class Step<T> implements Runnable {
        private final Consumer<T> undoing;
        private @Nullable T made;

        Step(Consumer<T> undoing) {
            this.undoing = undoing;
        }

        @Override
        public void run() {
            T present = made;
            if (present != null) {
                undoing.accept(present);
            }
        }
    }

    /// Keeps all steps: nothing is undone.
    public void keep() {
        steps.clear();
    }

    /// Runs all undo actions, even if one fails. In a `try` statement, that failure becomes a suppressed exception of
    /// the original failure. Another close repeats the actions that have failed.
    @Override
    public void close() {
        Closing.drain(steps);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.failure.Closing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Undoes an incomplete sequence of steps. Used as a resource of `try`: each successful step adds its undoing, and
/// [#keep()] marks the sequence as complete.
public final class Rollback implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /// Nothing is to be undone yet.
    public Rollback() {}

    /// Adds a step, to be run before those that were added earlier.
    public void add(Runnable undo) {
        steps.push(undo);
    }

    /// Makes something that is undone with the rest. Nothing is allocated once it is made, so that a lack of heap
    /// cannot lose it.
    ///
    /// @param making creates it
    /// @param undoing destroys it
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

    /// Keeps all steps: nothing is to be undone.
    public void keep() {
        steps.clear();
    }

    /// Undoes all added steps, even if one fails. `try` attaches such a failure to the original one.
    @Override
    public void close() {
        Closing.drain(steps);
    }
}

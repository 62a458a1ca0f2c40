// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// Prevents the loss of created kernel objects.
public final class Created {
    private Created() {}

    /// Creates and wraps an object. If wrapping fails, for example because the heap is exhausted, the object is
    /// destroyed. The caller has already allocated everything that this needs.
    ///
    /// @param making creates the object
    /// @param wrapping wraps the object
    /// @param undoing destroys the object
    public static <M, T> T keep(Supplier<M> making, Function<M, T> wrapping, Consumer<M> undoing) {
        M made = making.get();
        try {
            return wrapping.apply(made);
        } catch (RuntimeException | Error e) {
            undo(made, undoing, e);
            throw e;
        }
    }

    /// Creates an object in the kernel and wraps its handle, as [#keep] does.
    public static <T> T keepHandle(IntSupplier making, IntFunction<T> wrapping, IntConsumer undoing) {
        int handle = making.getAsInt();
        try {
            return wrapping.apply(handle);
        } catch (RuntimeException | Error e) {
            undo(handle, undoing::accept, e);
            throw e;
        }
    }

    private static <M> void undo(M made, Consumer<M> undoing, Throwable cause) {
        try {
            undoing.accept(made);
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }
}

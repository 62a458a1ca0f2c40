// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A pending read or write of the protocol.
///
/// @param <T> its result
final class Pending<T extends @Nullable Object> extends CompletableFuture<T> {
    final ByteBuffer buffer;
    private final Predicate<Pending<?>> withdrawal;
    /// Whether bytes of this read or write were transferred. Guarded by the connection's lock.
    boolean started;

    /// @param withdrawal removes this read or write if none of its bytes were transferred; returns whether it was
    ///     removed
    Pending(ByteBuffer buffer, Predicate<Pending<?>> withdrawal) {
        this.buffer = buffer;
        this.withdrawal = withdrawal;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return withdrawal.test(this) && super.cancel(mayInterruptIfRunning);
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A read or write that waits in the protocol.
///
/// @param <T> its result
final class Pending<T extends @Nullable Object> extends CompletableFuture<T> {
    final ByteBuffer buffer;
    private final Predicate<Pending<?>> withdrawal;
    /// Whether bytes of it were transferred. Guarded by the connection's lock.
    boolean started;

    /// @param withdrawal removes it unless bytes of it were transferred, and returns whether it did
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

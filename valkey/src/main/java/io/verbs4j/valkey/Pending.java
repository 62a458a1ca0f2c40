// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// A pending read or write of the protocol.
///
/// The protocol completes the future with [#served] or [#failed]. If the program completes the future, for example by
/// [#orTimeout(long, java.util.concurrent.TimeUnit)], the protocol first withdraws the read or write, and no longer
/// uses the buffer.
///
/// @param <T> its result
final class Pending<T extends @Nullable Object> extends CompletableFuture<T> {
    final ByteBuffer buffer;
    private final BiPredicate<Pending<?>, Boolean> withdrawal;
    /// Whether bytes of this read or write were transferred. Guarded by the connection's lock.
    boolean started;

    /// @param withdrawal withdraws a pending read or write, as [Protocol#withdraw] does
    Pending(ByteBuffer buffer, BiPredicate<Pending<?>, Boolean> withdrawal) {
        this.buffer = buffer;
        this.withdrawal = withdrawal;
    }

    void served(T result) {
        super.complete(result);
    }

    void failed(RuntimeException cause) {
        super.completeExceptionally(cause);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return withdrawal.test(this, false) && super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean complete(T value) {
        return withdrawal.test(this, true) && super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
        return withdrawal.test(this, true) && super.completeExceptionally(cause);
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}

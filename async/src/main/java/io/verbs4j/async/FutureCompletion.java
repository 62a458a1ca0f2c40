// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionRecord;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.CompletionStatus;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Completes a future when its work request has completed.
final class FutureCompletion implements CompletionHandler, Runnable {
    private final CompletableFuture<CompletionRecord> future = new CompletableFuture<>();
    private final Dispatcher dispatcher;
    private @Nullable CompletionRecord record;
    private @Nullable String abandoned;

    FutureCompletion(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    CompletableFuture<CompletionRecord> future() {
        return future;
    }

    @Override
    public void completed(WorkCompletion completion) {
        record = completion.toRecord();
        dispatcher.afterwards(this);
    }

    void abandon(String why) {
        abandoned = why;
        dispatcher.afterwards(this);
    }

    @Override
    public void run() {
        CompletionRecord known = record;
        if (known == null) {
            future.completeExceptionally(new CancellationException(abandoned));
        } else if (known.status().equals(CompletionStatus.SUCCESS)) {
            future.complete(known);
        } else {
            future.completeExceptionally(new WorkFailedException(known));
        }
    }
}

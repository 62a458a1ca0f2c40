// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes entries to a sink, one at a time. If the sink fails, the trace ends; the traced program continues.
final class TraceOutput {
    private final TraceSink sink;
    private final Consumer<RuntimeException> whenItFails;
    private final ReentrantLock lock = new ReentrantLock();
    private long number;
    private volatile @Nullable RuntimeException failure;

    /// @param sink receives the entries
    /// @param whenItFails receives the sink's exception
    TraceOutput(TraceSink sink, Consumer<RuntimeException> whenItFails) {
        this.sink = sink;
        this.whenItFails = whenItFails;
    }

    /// Creates an entry with a number.
    interface Numbered {
        TraceEntry entry(long number);
    }

    /// Passes on an entry with the next number.
    void accept(Numbered numbered) {
        lock.lock();
        try {
            if (failure == null) {
                sink.accept(numbered.entry(++number));
            }
        } catch (RuntimeException e) {
            failure = e;
            whenItFails.accept(e);
        } finally {
            lock.unlock();
        }
    }

    /// Returns the sink's exception, or null.
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}

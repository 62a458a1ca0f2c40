// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Hands entries to a sink, one at a time, until that fails: then the trace ends, and not the program that is traced.
final class TraceOutput {
    private final TraceSink sink;
    private final Consumer<RuntimeException> whenItFails;
    private final ReentrantLock lock = new ReentrantLock();
    private long number;
    private volatile @Nullable RuntimeException failure;

    /// @param sink takes the entries
    /// @param whenItFails hears what the sink has thrown
    TraceOutput(TraceSink sink, Consumer<RuntimeException> whenItFails) {
        this.sink = sink;
        this.whenItFails = whenItFails;
    }

    /// Makes an entry of a number.
    interface Numbered {
        TraceEntry entry(long number);
    }

    /// Hands over an entry with the next number.
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

    /// Returns what the sink has thrown, or null.
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}

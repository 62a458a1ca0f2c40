// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Polls completions from a queue, waits for them with a timeout, and records all of them for the message if one is
/// missing.
public final class Completions {
    private final CompletionQueue queue;
    private final Supplier<String> state;
    private final List<CompletionRecord> taken = new ArrayList<>();

    /// @param state what to say about the queue pair if a completion does not come
    public Completions(CompletionQueue queue, Supplier<String> state) {
        this.queue = queue;
        this.state = state;
    }

    /// The next completion.
    public CompletionRecord next() {
        return next(1).getFirst();
    }

    /// The next completion, which must be a success.
    public CompletionRecord nextSuccess() {
        return nextSuccesses(1).getFirst();
    }

    /// The next completions, all of which must be successes.
    public List<CompletionRecord> nextSuccesses(int count) {
        var records = next(count);
        assertThat(records).allMatch(CompletionRecord::isSuccess);
        return records;
    }

    /// The next completions, in order.
    public List<CompletionRecord> next(int count) {
        int first = taken.size();
        Eventually.until(
                () -> {
                    int missing = first + count - taken.size();
                    return missing == 0
                            || queue.poll(missing, completion -> taken.add(completion.toRecord())) == missing;
                },
                () -> (taken.size() - first) + " of " + count + " completions; " + state.get() + "; so far: " + taken);
        return List.copyOf(taken.subList(first, first + count));
    }

    /// Fails if a completion waits.
    public void assertNone() {
        int count = queue.poll(1, completion -> taken.add(completion.toRecord()));
        assertThat(count).as(() -> "an unexpected completion; all: " + taken).isZero();
    }
}

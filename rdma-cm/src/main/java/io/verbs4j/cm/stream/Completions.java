// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import java.time.Duration;

/// Completions that one thread has taken from the queue, without the stream's lock, to be looked at under it.
final class Completions implements CompletionHandler {
    /// The longest sleep: whoever waits looks at the stream again after it.
    static final Duration SLICE = Duration.ofMillis(500);

    private static final int MOST = 64;

    private final CompletionQueue queue;
    private final long[] ids = new long[MOST];
    private final int[] statuses = new int[MOST];
    private final int[] immediates = new int[MOST];
    private final int[] lengths = new int[MOST];
    private int count;

    Completions(CompletionQueue queue) {
        this.queue = queue;
    }

    /// Takes what is there, or waits for it.
    ///
    /// @param nanos the longest wait; 0 for none; never longer than [#SLICE]
    void take(long nanos) throws InterruptedException {
        count = 0;
        if (queue.poll(MOST, this) == 0 && nanos > 0) {
            queue.await(MOST, this, nanos >= SLICE.toNanos() ? SLICE : Duration.ofNanos(nanos));
        }
    }

    @Override
    public void completed(WorkCompletion completion) {
        ids[count] = completion.workRequestId();
        statuses[count] = completion.statusCode();
        boolean received = completion.isSuccess() && completion.hasImmediateData();
        immediates[count] = received ? completion.immediateData() : 0;
        lengths[count] = received ? completion.byteLength() : 0;
        count++;
    }

    int count() {
        return count;
    }

    /// Forgets them.
    void clear() {
        count = 0;
    }

    long id(int index) {
        return ids[index];
    }

    int status(int index) {
        return statuses[index];
    }

    int immediate(int index) {
        return immediates[index];
    }

    int length(int index) {
        return lengths[index];
    }
}

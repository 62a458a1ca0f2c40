// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import org.jspecify.annotations.Nullable;

/// Holds completions between two steps: one thread takes them from the queue without the protocol's monitor, and then
/// hands them to the protocol while holding that monitor.
final class Completions implements CompletionHandler {
    private static final int MAX = 64;

    private final CompletionQueue queue;
    /// Contains the received messages over iWARP; null over other transports.
    private final @Nullable StreamMemory words;
    private final long[] ids = new long[MAX];
    private final int[] statuses = new int[MAX];
    private final int[] immediates = new int[MAX];
    private final int[] lengths = new int[MAX];
    private int count;

    /// @param words contains the received messages over iWARP; null over other transports
    Completions(CompletionQueue queue, @Nullable StreamMemory words) {
        this.queue = queue;
        this.words = words;
    }

    /// Takes completions without waiting.
    ///
    /// @return whether there may be more
    boolean poll() {
        if (count < MAX) {
            queue.poll(MAX - count, this);
        }
        return count == MAX;
    }

    /// Takes completions, and arms the queue, so that the next completion raises an event. Then takes those that
    /// arrived before the queue was armed, because they raise no event.
    ///
    /// @return whether completions may be left; the queue is then possibly not armed
    boolean pollAndArm() {
        if (poll()) {
            return true;
        }
        queue.requestNotification(false);
        return poll();
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Takes available completions. If there are none, waits for the first completion.
    ///
    /// @param deadline the end of the wait by `System.nanoTime()`
    void awaitUntil(long deadline) throws InterruptedException {
        queue.awaitUntil(MAX, this, deadline);
    }

    @Override
    public void completed(WorkCompletion completion) {
        ids[count] = completion.workRequestId();
        statuses[count] = completion.statusCode();
        immediates[count] = completion.hasImmediateData() ? completion.immediateData() : 0;
        lengths[count] = completion.byteLength();
        if (words != null && completion.isSuccess() && (ids[count] & StreamProtocol.RECEIVE) != 0) {
            lengths[count] = StreamProtocol.UNKNOWN_LENGTH;
            // A message of another length counts as a data message of 0 bytes, which the protocol rejects.
            immediates[count] = completion.byteLength() == StreamMemory.WORD ? words.word((int) ids[count]) : 0;
        }
        count++;
    }

    /// Hands the completions over to the protocol, and clears them. The caller holds the protocol's monitor.
    void handTo(StreamProtocol protocol) {
        int taken = count;
        count = 0;
        for (int i = 0; i < taken; i++) {
            protocol.completed(ids[i], statuses[i], immediates[i], lengths[i]);
        }
    }
}

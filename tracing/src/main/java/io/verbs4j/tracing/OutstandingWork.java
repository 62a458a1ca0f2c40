// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The work requests of one device whose completions may still arrive, in the order of posting. Identifiers of work
/// requests need not be unique. Thread-safe.
final class OutstandingWork {
    /// Maximum number of requests. Completions of unsignaled ones never arrive.
    private static final int MAX = 8192;
    /// The queue pair number of receives in shared receive queues.
    private static final int SHARED = 0;

    private final List<Posted> posted = new ArrayList<>();

    private record Posted(int queuePair, TracedWork work) {
        boolean isOf(int ring, boolean receive) {
            return queuePair == ring && work.receive() == receive;
        }
    }

    /// A request that failed.
    ///
    /// @param candidates number of outstanding requests with the same identifier; the work is the oldest
    record Failed(TracedWork work, int candidates) {}

    /// Adds posted requests.
    ///
    /// @param queuePair the queue pair's number; 0 for a shared receive queue
    synchronized void add(int queuePair, List<TracedWork> batch) {
        batch.forEach(work -> posted.add(new Posted(queuePair, work)));
        if (posted.size() > MAX) {
            posted.subList(0, posted.size() - MAX).clear();
        }
    }

    /// Removes the request of a successful completion. A queue pair completes its requests in order, so the earlier
    /// requests of the same ring were unsignaled, and have succeeded, too.
    synchronized void succeed(int queuePair, boolean receive, long id) {
        List<Integer> candidates = find(queuePair, receive, id);
        if (!candidates.isEmpty()) {
            int found = candidates.stream()
                    .filter(index -> posted.get(index).work.signaled())
                    .findFirst()
                    .orElse(candidates.getFirst()); // the queue pair signals all requests
            posted.subList(0, found + 1).removeIf(each -> each.isOf(queuePair, receive));
        } else if (receive) {
            find(SHARED, true, id).stream().findFirst().ifPresent(index -> posted.remove(index.intValue()));
        }
    }

    /// Removes and returns the request of a failed completion, which does not report whether it is a receive.
    ///
    /// @return null if there is none
    synchronized @Nullable Failed fail(int queuePair, long id) {
        List<Integer> candidates = find(queuePair, false, id);
        if (candidates.isEmpty()) {
            candidates = find(queuePair, true, id);
        }
        if (candidates.isEmpty()) {
            candidates = find(SHARED, true, id);
        }
        return candidates.isEmpty() ? null
                : new Failed(posted.remove(candidates.getFirst().intValue()).work, candidates.size());
    }

    private List<Integer> find(int queuePair, boolean receive, long id) {
        var found = new ArrayList<Integer>();
        for (int i = 0; i < posted.size(); i++) {
            Posted each = posted.get(i);
            if (each.isOf(queuePair, receive) && each.work.workRequestId() == id) {
                found.add(i);
            }
        }
        return found;
    }
}

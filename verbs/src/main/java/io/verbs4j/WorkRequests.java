// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.InvalidWorkRequestException;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Posts work requests by lists.
final class WorkRequests {
    private WorkRequests() {}

    /// Adds one after the other to a batch, until it is full.
    ///
    /// @param add answers whether there was room
    /// @throws InvalidWorkRequestException if one is not valid; what was added before it must not be submitted
    static <T> void addEach(List<T> requests, Predicate<T> add) {
        int index = 0;
        for (T request : requests) {
            try {
                if (!add.test(request)) {
                    return;
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new InvalidWorkRequestException(index, e);
            }
            index++;
        }
    }

    /// Posts as many sends of a list as there is room for.
    ///
    /// @param begin begins the batch, whose lock is `lock`
    static int postSends(Supplier<SendBatch> begin, BatchLock lock, List<SendWorkRequest> requests) {
        Thread here = Thread.currentThread();
        SendBatch open = begin.get();
        try {
            addEach(requests, request -> request.addTo(open));
            return open.submit();
        } finally {
            boolean ended = false;
            try {
                open.close();
                ended = true;
            } finally {
                if (!ended) {
                    lock.deserter = here; // there may be no stack left for a call
                }
            }
        }
    }

    /// Posts as many receives of a list as there is room for.
    ///
    /// @param begin begins the batch, whose lock is `lock`
    static int postReceives(Supplier<ReceiveBatch> begin, BatchLock lock, List<ReceiveWorkRequest> requests) {
        Thread here = Thread.currentThread();
        ReceiveBatch open = begin.get();
        try {
            return open.submit(requests);
        } finally {
            boolean ended = false;
            try {
                open.close();
                ended = true;
            } finally {
                if (!ended) {
                    lock.deserter = here; // there may be no stack left for a call
                }
            }
        }
    }
}

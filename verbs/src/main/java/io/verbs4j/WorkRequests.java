// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.InvalidWorkRequestException;
import java.util.List;
import java.util.function.Predicate;

/// What posting by lists has in common.
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
}

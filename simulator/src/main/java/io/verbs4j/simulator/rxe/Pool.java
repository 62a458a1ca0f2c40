// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Objects of one kind by number (`struct rxe_pool`, rxe_pool.c). Numbers increase and are reused only after they wrap
/// around, so a late packet or a stale key finds no object.
final class Pool<T> {
    private final int first;
    private final int last;
    private final Map<Integer, T> objects = new HashMap<>();
    private int next;

    Pool(int first, int last) {
        this.first = first;
        this.last = last;
        this.next = first;
    }

    /// Creates an object with the next number.
    ///
    /// @return null if the maximum number of objects exists
    @Nullable
    T add(IntFunction<T> maker) {
        if (objects.size() > last - first) {
            return null;
        }
        while (objects.containsKey(next)) {
            advance();
        }
        T object = maker.apply(next);
        objects.put(next, object);
        advance();
        return object;
    }

    private void advance() {
        next = next == last ? first : next + 1;
    }

    Collection<T> all() {
        return objects.values();
    }

    @Nullable
    T get(int number) {
        return objects.get(number);
    }

    void remove(int number) {
        objects.remove(number);
    }
}

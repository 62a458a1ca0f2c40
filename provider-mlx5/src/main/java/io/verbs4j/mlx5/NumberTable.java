// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Objects by their numbers of 24 bits, in two levels; looked up without a lock for each completion.
final class NumberTable<T> {
    private static final int BITS = 12;
    private static final int MASK = (1 << BITS) - 1;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable T>> levels =
            new AtomicReferenceArray<>(1 << BITS);

    @Nullable
    T get(int number) {
        AtomicReferenceArray<@Nullable T> level = levels.get(number >>> BITS & MASK);
        return level == null ? null : level.get(number & MASK);
    }

    void put(int number, T object) {
        int high = number >>> BITS & MASK;
        AtomicReferenceArray<@Nullable T> level = levels.get(high);
        if (level == null) {
            levels.compareAndSet(high, null, new AtomicReferenceArray<>(1 << BITS));
            level = levels.get(high);
        }
        if (level != null) {
            level.set(number & MASK, object);
        }
    }

    /// Removes an object, unless its number already belongs to another one.
    void remove(int number, T object) {
        AtomicReferenceArray<@Nullable T> level = levels.get(number >>> BITS & MASK);
        if (level != null) {
            level.compareAndSet(number & MASK, object, null);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Maps numbers that the kernel reports, such as file descriptors, to objects. Finding an object takes no lock
/// and allocates nothing, unlike in a map of the JDK, which boxes numbers. Removing allocates nothing, either.
/// Thread-safe.
public final class NumberedObjects<T> {
    private static final int FIRST_CAPACITY = 16;

    /// An object in the list of its bucket.
    private static final class Entry<T> {
        private final long number;
        private volatile T object;
        private volatile @Nullable Entry<T> next;

        Entry(long number, T object, @Nullable Entry<T> next) {
            this.number = number;
            this.object = object;
            this.next = next;
        }
    }

    // Changed while holding the monitor of this object.
    private volatile AtomicReferenceArray<@Nullable Entry<T>> buckets = new AtomicReferenceArray<>(FIRST_CAPACITY);
    private volatile int size;

    /// Returns the object with a number; null if there is none.
    public @Nullable T get(long number) {
        Entry<T> entry = find(number);
        return entry == null ? null : entry.object;
    }

    private @Nullable Entry<T> find(long number) {
        AtomicReferenceArray<@Nullable Entry<T>> present = buckets;
        Entry<T> entry = present.get(bucket(present, number));
        while (entry != null && entry.number != number) {
            entry = entry.next;
        }
        return entry;
    }

    private static int bucket(AtomicReferenceArray<?> buckets, long number) {
        return (int) number & buckets.length() - 1;
    }

    /// Adds an object. The object replaces another one with the same number.
    public synchronized void put(long number, T object) {
        Entry<T> same = find(number);
        if (same != null) {
            same.object = object;
            return;
        }
        if (size == buckets.length()) {
            grow();
        }
        add(buckets, number, object);
        size++;
    }

    private static <T> void add(AtomicReferenceArray<@Nullable Entry<T>> buckets, long number, T object) {
        int bucket = bucket(buckets, number);
        buckets.set(bucket, new Entry<>(number, object, buckets.get(bucket)));
    }

    /// Copies the entries, because other threads may be following the links of the present ones.
    private void grow() {
        AtomicReferenceArray<@Nullable Entry<T>> present = buckets;
        var larger = new AtomicReferenceArray<@Nullable Entry<T>>(2 * present.length());
        for (int i = 0; i < present.length(); i++) {
            for (Entry<T> entry = present.get(i); entry != null; entry = entry.next) {
                add(larger, entry.number, entry.object);
            }
        }
        buckets = larger;
    }

    /// Removes an object.
    ///
    /// @return false if the number has no object, or another one
    public synchronized boolean remove(long number, T object) {
        int bucket = bucket(buckets, number);
        Entry<T> before = null;
        Entry<T> entry = buckets.get(bucket);
        while (entry != null && entry.number != number) {
            before = entry;
            entry = entry.next;
        }
        if (entry == null || !entry.object.equals(object)) {
            return false;
        }
        if (before == null) {
            buckets.set(bucket, entry.next);
        } else {
            before.next = entry.next;
        }
        size--;
        return true;
    }

    /// Returns the number of objects.
    public int size() {
        return size;
    }

    /// Passes all objects to an action, which may remove them.
    public void forEach(Consumer<? super T> action) {
        AtomicReferenceArray<@Nullable Entry<T>> present = buckets;
        for (int i = 0; i < present.length(); i++) {
            for (Entry<T> entry = present.get(i); entry != null; entry = entry.next) {
                action.accept(entry.object);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Maps DiSNI's handles to objects. In C, handles are addresses. Here, a handle is never reused, so the handle of a
/// removed object is rejected. Thread-safe. Finding an object allocates nothing.
final class Handles {
    private static final int INDEX_BITS = 24;
    private static final int INDEX = (1 << INDEX_BITS) - 1;

    private record Entry(long handle, Object object) {}

    /// Replaced when it grows. The slot of a removed object contains null.
    private volatile @Nullable Entry[] entries = new @Nullable Entry[64];
    private final ArrayList<Integer> free = new ArrayList<>(); // guarded by this
    private int used = 1; // guarded by this; 0 is not a handle
    private long generation; // guarded by this

    /// Adds an object.
    ///
    /// @return its handle, positive
    synchronized long add(Object object) {
        int index = free.isEmpty() ? used++ : free.removeLast();
        @Nullable Entry[] table = entries;
        if (index > INDEX) {
            throw new IllegalStateException("DiSNI has more than " + INDEX + " open objects");
        }
        if (index >= table.length) {
            table = Arrays.copyOf(table, 2 * table.length);
        }
        long handle = ++generation << INDEX_BITS | index;
        table[index] = new Entry(handle, object);
        entries = table; // publishes the slot, too
        return handle;
    }

    /// Returns an object.
    ///
    /// @param name name of the object's kind, for the message
    /// @throws IOException if the object was removed, or is of another kind
    <T> T get(long handle, Class<T> type, String name) throws IOException {
        Object object = find(handle);
        if (!type.isInstance(object)) {
            throw new IOException("there is no " + name + " " + handle + (object == null
                    ? ": it was destroyed, or was never created"
                    : ": the handle is that of " + object));
        }
        return type.cast(object);
    }

    /// Returns an object; null if it was removed.
    @Nullable
    Object find(long handle) {
        @Nullable Entry[] table = entries;
        int index = (int) handle & INDEX;
        Entry entry = index < table.length ? table[index] : null;
        return entry != null && entry.handle == handle ? entry.object : null;
    }

    /// Removes an object.
    ///
    /// @return null if the object was removed before
    synchronized @Nullable Object remove(long handle) {
        Object object = find(handle);
        if (object != null) {
            int index = (int) handle & INDEX;
            entries[index] = null;
            free.add(index);
        }
        return object;
    }

    /// Closes an object, and then removes it. An object that cannot be closed keeps its handle.
    ///
    /// @return 0, or an errno: `EBUSY` if the object is still in use
    int destroy(long handle, Runnable close) {
        try {
            close.run();
        } catch (VerbsException e) {
            return e.errno();
        } catch (IllegalStateException e) {
            return Errno.EBUSY;
        }
        remove(handle);
        return 0;
    }

    /// Returns a number that is unique among 2^31 consecutive objects.
    static int number(long handle) {
        return (int) (handle >>> INDEX_BITS) & Integer.MAX_VALUE;
    }

    /// Returns the handles of all objects of a kind.
    synchronized List<Long> of(Class<?> type) {
        var found = new ArrayList<Long>();
        for (Entry entry : entries) {
            if (entry != null && type.isInstance(entry.object)) {
                found.add(entry.handle);
            }
        }
        return found;
    }
}

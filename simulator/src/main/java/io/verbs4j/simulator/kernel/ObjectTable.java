// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.types.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The objects of an open file by handle (`rdma_core.c`). A new object gets the lowest free handle, from 0.
final class ObjectTable {
    private final Map<Integer, KernelObject> objects = new TreeMap<>();

    int add(KernelObject object) {
        int handle = 0;
        for (int used : objects.keySet()) {
            if (used != handle) {
                break;
            }
            handle++;
        }
        objects.put(handle, object);
        object.hold();
        return handle;
    }

    /// Returns the object with a handle.
    ///
    /// @throws Refusal `ENOENT` if there is none, `EINVAL` if its kind is different
    <T extends KernelObject> T get(int handle, Class<T> kind) {
        KernelObject object = objects.get(handle);
        if (object == null) {
            throw new Refusal(Errno.ENOENT);
        }
        Refusal.unless(kind.isInstance(object), Errno.EINVAL);
        return kind.cast(object);
    }

    /// Returns the object with a handle, of any kind.
    @Nullable
    KernelObject find(int handle) {
        return objects.get(handle);
    }

    void remove(int handle) {
        KernelObject object = objects.remove(handle);
        if (object != null) {
            object.release();
        }
    }

    /// Returns all objects. Later objects come first, because they use earlier objects.
    List<Map.Entry<Integer, KernelObject>> all() {
        var all = new ArrayList<>(objects.entrySet());
        return all.reversed();
    }
}

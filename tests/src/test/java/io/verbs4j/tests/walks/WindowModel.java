// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Access;
import org.jspecify.annotations.Nullable;

/// A memory window. A key is known by how many binds were posted since the window was made.
final class WindowModel {
    final boolean secondType;
    final String name;

    /// The key that the library hands out, and the one that the device knows: they differ after a bind that failed.
    int key;
    int deviceKey;

    /// The region that the library was last asked to bind it to.
    int lastRegion;

    /// The queue pair through which the library was last asked to bind it; 0 if it never was.
    int lastBinder;

    /// Holds what the device has bound it to, if anything; and for which rights, and on which queue pair.
    @Nullable RegionModel bound;
    int rights;
    int queuePair;
    boolean valid;

    WindowModel(Side side, int number, int generation) {
        this.secondType = number == 1;
        this.name = side.text() + " window " + number + " number " + generation;
        this.valid = !secondType;
    }

    boolean keyIsKnown() {
        return key == deviceKey;
    }

    /// Name of the key that is handed out.
    String keyName() {
        return name + " key " + key;
    }

    /// Returns whether the library posts a bind to a part of a region (IBA vol. 1, 10.6.7.2; `rxe_check_bind_mw`,
    /// rxe_mw.c).
    boolean isPosted(RegionModel region, int length, int wanted) {
        int writing = Access.mask(
                Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        return length == 0
                ? !secondType
                : region.grants(Access.MEMORY_WINDOW_BIND.value())
                        && ((wanted & writing) == 0
                                || region.grants(Access.LOCAL_WRITE.value()));
    }

    /// Returns whether a bind that was posted succeeds. The key is compared by the caller, before the library changed
    /// it.
    boolean accepts() {
        return !secondType || !valid;
    }

    void bind(RegionModel region, int length, int wanted, int owner) {
        bound = length == 0 ? null : region;
        rights = wanted;
        queuePair = owner;
        valid = true;
        deviceKey = key;
    }

    void invalidate() {
        bound = null;
        rights = 0;
        valid = false;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import org.jspecify.annotations.Nullable;

/// A memory window (`struct rxe_mw`). A window of type 1 is valid from its creation, even while unbound. A window of
/// type 2 is invalid until it is bound.
public final class Window {
    final int index;
    final int type;
    final Domain domain;
    int key;
    int access;
    long address;
    long length;
    boolean valid;
    @Nullable Region region;
    @Nullable QueuePair queuePair;

    Window(int index, int type, int key, Domain domain) {
        this.index = index;
        this.type = type;
        this.key = key;
        this.domain = domain;
        this.valid = type == 1;
    }

    /// Returns the key. Each bind changes it.
    public int key() {
        return key;
    }

    /// Unbinds the window from its region.
    void unbind() {
        if (region != null) {
            region.windows--;
            region = null;
        }
    }

    /// Frees a window of type 2.
    void free() {
        unbind();
        queuePair = null;
        access = 0;
        address = 0;
        length = 0;
        valid = false;
    }
}

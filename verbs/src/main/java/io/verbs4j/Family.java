// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A context and all that was made from it.
final class Family {
    final ReentrantLock lock = new ReentrantLock();
    /// Some object was closed, or stayed open after all, or was made.
    final Condition changed = lock.newCondition();
    final VerbsObject root;
    /// Threads that close the root.
    int closing; // guarded by the lock
    /// Objects that are being made.
    int creations; // guarded by the lock

    Family(VerbsObject root) {
        this.root = root;
    }
}

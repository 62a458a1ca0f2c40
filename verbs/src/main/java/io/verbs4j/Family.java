// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A context and all objects created from it.
final class Family {
    final ReentrantLock lock = new ReentrantLock();
    /// Signalled when an object was created or closed, or a close was refused.
    final Condition changed = lock.newCondition();
    final VerbsObject root;
    /// Threads that are closing the root.
    int closing; // guarded by the lock
    /// Number of objects that are being created.
    int creations; // guarded by the lock

    Family(VerbsObject root) {
        this.root = root;
    }
}

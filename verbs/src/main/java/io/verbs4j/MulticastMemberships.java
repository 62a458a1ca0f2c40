// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The multicast groups that a queue pair has joined.
final class MulticastMemberships {
    private final QueuePair queuePair;
    private final ProviderQueuePair provider;
    /// Held while a group is joined or left and the result is recorded, so that results are recorded in the order of
    /// the commands.
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Gid> groups = new HashSet<>(); // guarded by the lock

    MulticastMemberships(QueuePair queuePair, ProviderQueuePair provider) {
        this.queuePair = queuePair;
        this.provider = provider;
    }

    void join(Gid group) {
        requireMulticast(group);
        change(() -> {
            provider.attachMulticast(group, 0);
            groups.add(group);
        });
    }

    void leave(Gid group) {
        requireMulticast(group);
        change(() -> {
            provider.detachMulticast(group, 0);
            groups.remove(group);
        });
    }

    private void change(Runnable change) {
        queuePair.whileOpen(() -> {
            lock.lock();
            try {
                change.run();
            } finally {
                lock.unlock();
            }
        });
    }

    private void requireMulticast(Gid group) {
        if (queuePair.type() != QueuePairType.UD) {
            throw new IllegalStateException(
                    queuePair + " is not a datagram queue pair: only those join multicast groups");
        }
        if (!group.isMulticast()) {
            throw new IllegalArgumentException("group=" + group + " is not a multicast GID");
        }
    }

    /// Leaves all groups before the queue pair is destroyed: with any driver, the kernel does not destroy a member of a
    /// group (`EBUSY`; `uverbs_free_qp`, uverbs_std_types_qp.c). A group that the kernel no longer lists counts as
    /// left. Called while no other operation runs on the queue pair.
    void leaveAll() {
        for (Gid group : List.copyOf(groups)) {
            try {
                provider.detachMulticast(group, 0);
            } catch (VerbsException e) {
                if (e.errno() != Errno.EINVAL) {
                    throw e;
                }
            }
            groups.remove(group);
        }
    }
}

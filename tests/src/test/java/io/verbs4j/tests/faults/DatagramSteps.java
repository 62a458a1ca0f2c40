// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;
import io.verbs4j.VerbsObject;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import java.util.List;

/// Joins two multicast groups and leaves one of them, so that closing must leave the other. Also sends a datagram
/// without waiting for its completion.
final class DatagramSteps {
    private static final int QKEY = 0x11111111;

    private DatagramSteps() {}

    static List<VerbsObject> take(Context context, int gidIndex) {
        assertThat(context.gids()).extracting(GidEntry::index).contains(gidIndex);
        ProtectionDomain domain = context.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(4096, Access.LOCAL_WRITE);
        CompletionQueue queue = context.createCompletionQueue(7);
        PreparedQueuePair prepared = domain.datagram(queue)
                .gid(GidSelector.index(gidIndex))
                .qkey(QKEY)
                .maxSends(7)
                .maxReceives(7)
                .prepare();
        QueuePair queuePair = prepared.start();
        queuePair.attachMulticast(group(1));
        queuePair.attachMulticast(group(2));
        queuePair.detachMulticast(group(1));
        AddressHandle path = domain.createAddressHandle(
                AddressVector.roce(1, gidIndex, prepared.endpoint().gid()));
        try (SendBatch batch = queuePair.beginSend()) {
            batch.to(path, queuePair.number(), QKEY).signaled().send().local(memory, 0, 64).post();
            batch.submit();
        }
        Polling.one(queue);
        return List.of(path, queuePair, queue, memory, domain);
    }

    /// An IPv4 group, 239.9.8.0 and the number.
    private static Gid group(int number) {
        return new Gid(0, 0x0000_ffff_ef09_0800L | number);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.SendBatch;
import io.verbs4j.VerbsObject;
import io.verbs4j.types.Access;
import java.util.List;

/// Connects two unreliable queue pairs, and writes from one to the other.
final class UnreliableSteps {
    private UnreliableSteps() {}

    static List<VerbsObject> take(Context context, int gidIndex) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue queue = context.createCompletionQueue(7);
        QueuePairBuilder builder = domain.unreliableConnection(queue)
                .gid(GidSelector.index(gidIndex))
                .maxSends(7)
                .maxReceives(7);
        PreparedQueuePair there = builder.prepare();
        PreparedQueuePair here = builder.prepare();
        QueuePair peer = there.connect(here.endpoint());
        QueuePair sender = here.connect(there.endpoint());
        try (SendBatch batch = sender.beginSend()) {
            batch.signaled().write().local(memory.slice(0, 64)).remote(memory.remote().slice(4096, 64)).post();
            batch.submit();
        }
        Polling.one(queue);
        assertThat(sender.query().state()).isEqualTo(sender.state());
        return List.of(sender, peer, queue, memory, domain);
    }
}

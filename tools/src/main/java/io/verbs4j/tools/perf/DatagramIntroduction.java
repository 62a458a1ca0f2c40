// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pairs.CmPairs;
import io.verbs4j.types.Access;
import io.verbs4j.types.DatagramPath;

/// With `-R` and datagrams in both directions, sends the number of the client's queue pair to perftest's server. The
/// client's first datagram contains the number as immediate data (`rdma_cm_send_ud_connection_parameters` in
/// perftest_communication.c).
final class DatagramIntroduction {
    private static final int BYTES = 4;

    private final CmPairs manager;
    private final boolean client;
    private final boolean needed;
    private final MemoryRegion memory;

    DatagramIntroduction(CmPairs manager, PerfPlan plan, ProtectionDomain domain) {
        this.manager = manager;
        this.client = plan.client();
        this.needed = plan.bidirectional() || plan.test().isLatency();
        this.memory = domain.allocate(GlobalRouteHeader.BYTES + BYTES, Access.LOCAL_WRITE);
    }

    /// Prepares a queue pair, and sends or receives the first datagram.
    void prepare(QueuePair pair) {
        var path = manager.exchange(pair, () -> {
            if (needed && !client) {
                receive(pair);
            }
        });
        if (needed) {
            if (client) {
                send(pair, path.orElseThrow());
            }
            await(pair);
        }
    }

    private void receive(QueuePair pair) {
        try (var batch = pair.beginReceive()) {
            batch.receive(memory, 0, memory.length());
            batch.submit();
        }
    }

    private void send(QueuePair pair, DatagramPath path) {
        var handle = memory.protectionDomain().createAddressHandle(path.path());
        try (var batch = pair.beginSend()) {
            batch.signaled()
                    .to(handle, path.queuePairNumber(), path.qkey())
                    .send()
                    .immediate(pair.number())
                    .local(memory, GlobalRouteHeader.BYTES, BYTES)
                    .post();
            batch.submit();
        }
    }

    private static void await(QueuePair pair) {
        try {
            int done = pair.sendCompletionQueue().poll(1, completion -> {
                if (!completion.isSuccess()) {
                    throw new ToolException("the first datagram failed: " + completion);
                }
            }, CmPairs.TIMEOUT);
            if (done == 0) {
                throw new ToolException(
                        "the client's first datagram did not arrive within " + CmPairs.TIMEOUT.toSeconds() + " s",
                        "datagrams may be lost: try again");
            }
        } catch (InterruptedException e) {
            throw ToolException.interrupted();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import java.util.List;
import java.util.random.RandomGenerator;

/// Objects of one device that all threads share.
final class SoakSide implements AutoCloseable {
    static final int RECEIVE_BYTES = 192; // a route header and the longest message
    private static final int ENTRIES = 12_000;

    final Context context;
    final CompletionChannel channel;
    final ProtectionDomain domain;
    final List<CompletionQueue> queues;
    final SharedReceiveQueue shared;
    final MemoryRegion sharedMemory;
    final WorkLedger sharedLedger;

    SoakSide(String device, Soak soak) {
        context = Rxe.open(device);
        try {
            channel = context.createCompletionChannel();
            domain = context.allocateProtectionDomain();
            queues = List.of(
                    context.createCompletionQueue(CompletionQueueOptions.entries(ENTRIES).withChannel(channel)),
                    context.createCompletionQueue(ENTRIES));
            shared = domain.createSharedReceiveQueue(WorkLedger.SLOTS * 2, 1);
            sharedMemory = domain.allocate((long) WorkLedger.SLOTS * RECEIVE_BYTES, Access.LOCAL_WRITE);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
        sharedLedger = soak.ledger(false, (completion, slot, _) -> soak.received(completion, sharedMemory.segment(),
                (long) slot * RECEIVE_BYTES));
    }

    /// Posts receives to the shared queue as long as there is room.
    void fillShared() {
        try (ReceiveBatch batch = shared.beginReceive()) {
            fill(batch, sharedLedger, sharedMemory, 0);
        }
    }

    /// Posts receives to a queue while there is room.
    ///
    /// @param offset offset in the memory of the receive in slot 0
    static void fill(ReceiveBatch batch, WorkLedger ledger, MemoryRegion memory, long offset) {
        int slot;
        int count = 0;
        while ((slot = ledger.free()) >= 0) {
            if (!batch.workRequestId(ledger.take(true, 0))
                    .receive(memory, offset + (long) slot * RECEIVE_BYTES, RECEIVE_BYTES)) {
                ledger.takeBack(1);
                break;
            }
            count++;
        }
        if (batch.submit() != count) {
            throw new AssertionError("not all of " + count + " receives were posted");
        }
    }

    /// Makes a queue larger or smaller, never smaller than what it may have to hold.
    void resize(RandomGenerator random) {
        if (random.nextBoolean()) {
            queues.get(random.nextInt(queues.size())).resize(ENTRIES + random.nextInt(ENTRIES));
        } else {
            shared.resize(WorkLedger.SLOTS * (2 + random.nextInt(3)));
            shared.armLimit(random.nextInt(WorkLedger.SLOTS / 2));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

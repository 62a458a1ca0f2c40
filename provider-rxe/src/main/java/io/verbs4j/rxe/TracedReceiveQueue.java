// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.util.ArrayList;

/// A receive ring that tells the trace of each batch. Stands in for the ring only if the data path is traced.
final class TracedReceiveQueue extends ReceiveQueueOps {
    private final ReceiveRing ring;
    private final RingTrace trace;
    private final String name;
    private final int number;
    private int batch;

    /// @param owner the queue pair's name, or that of the shared receive queue
    /// @param number the queue pair's number; 0 of a shared receive queue
    TracedReceiveQueue(ReceiveRing ring, RingTrace trace, String owner, int number) {
        this.ring = ring;
        this.trace = trace;
        this.name = "receive ring of " + owner;
        this.number = number;
    }

    private int count(int result) {
        batch += result == PostResult.POSTED ? 1 : 0;
        return result;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int maxScatterGather() {
        return ring.maxScatterGather();
    }

    @Override
    public void begin() {
        batch = 0;
        ring.begin();
    }

    @Override
    public int receive(long workRequestId, long address, int length, int lkey) {
        return count(ring.receive(workRequestId, address, length, lkey));
    }

    @Override
    public int receive(long workRequestId, ScatterGatherList list) {
        return count(ring.receive(workRequestId, list));
    }

    @Override
    public int publish() {
        var slots = new RingSlots(ring.segment());
        int from = slots.producer();
        var works = new ArrayList<TracedWork>();
        for (int i = 0; i < batch; i++) {
            int slot = slots.after(from, i);
            works.add(TracedWork.receive(trace.tracer(), slot, slots.address(slot), slots.copy(slot)));
        }
        batch = 0;
        int count = ring.publish();
        if (!works.isEmpty()) {
            trace.posted(name, true, number, from, slots.producer(), slots.consumer(), works);
        }
        return count;
    }

    @Override
    public void abandon() {
        batch = 0;
        ring.abandon();
    }
}

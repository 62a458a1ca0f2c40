// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.lang.foreign.MemorySegment;

/// A receive ring that tells the trace of each batch. Stands in for the usual one only if the data path is traced.
final class TracedReceiveRing extends ReceiveRing {
    private final RingTrace trace;
    private final int number;
    private final String name;

    /// @param ring the ring's name for errors
    /// @param owner the queue pair's name, or that of the shared receive queue
    /// @param number the queue pair's number; 0 of a shared receive queue
    TracedReceiveRing(
            MemorySegment mapping, int maxScatterGather, String ring, RingTrace trace, String owner, int number) {
        super(mapping, maxScatterGather, ring);
        this.trace = trace;
        this.number = number;
        this.name = "receive ring of " + owner;
    }

    /// Copies the slots before the kernel can see them, because it works in them.
    @Override
    public int publish() {
        RingSlots slots = slots();
        int from = slots.producer();
        var works =
                slots.unpublished(pending(),
                        (slot, address, bytes) -> TracedWork.receive(trace.tracer(), slot, address, bytes));
        int count = super.publish();
        if (!works.isEmpty()) {
            trace.posted(name, true, number, from, slots.producer(), slots.consumer(), works);
        }
        return count;
    }
}

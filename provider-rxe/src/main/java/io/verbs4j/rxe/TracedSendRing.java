// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/// A send ring that tells the trace of each batch. Stands in for the usual one only if the data path is traced.
final class TracedSendRing extends SendRing {
    private final RingTrace trace;
    private final QueuePairType type;
    private final int number;
    private final String name;

    /// @param handle of the queue pair
    /// @param number the queue pair's number
    TracedSendRing(
            MemorySegment mapping,
            RxeSendLimits limits,
            int maxDatagram,
            IntSupplier doorbell,
            RingTrace trace,
            int handle,
            int number) {
        super(mapping, limits, maxDatagram, doorbell);
        this.trace = trace;
        this.type = limits.type();
        this.number = number;
        this.name = "send ring of " + trace.tracer().nameOf(UverbsObject.QP, handle);
    }

    /// Copies the slots before the kernel can see them, because it works in them.
    @Override
    public int publish() {
        RingSlots slots = slots();
        int from = slots.producer();
        var works =
                slots.unpublished(pending(),
                        (slot, address, bytes) -> TracedWork.send(trace.tracer(), type, slot, address, bytes));
        int count = super.publish();
        if (!works.isEmpty()) {
            trace.posted(name, false, number, from, slots.producer(), slots.consumer(), works);
        }
        return count;
    }
}

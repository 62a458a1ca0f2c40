// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingEvent;
import io.verbs4j.spi.RingListener;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/// A send ring that reports each batch. It replaces the usual ring only if there is a listener.
final class ObservedSendRing extends SendRing {
    private final RingListener listener;
    private final QueuePairType type;
    private final int number;
    private final int handle;

    /// @param handle the queue pair's handle
    /// @param number the queue pair's number
    ObservedSendRing(
            MemorySegment mapping,
            RxeSendLimits limits,
            int maxDatagram,
            IntSupplier doorbell,
            RingListener listener,
            int handle,
            int number) {
        super(mapping, limits, maxDatagram, doorbell);
        this.listener = listener;
        this.type = limits.type();
        this.number = number;
        this.handle = handle;
    }

    /// Copies the slots before they are published, because the kernel changes published slots.
    @Override
    public int publish() {
        RingSlots slots = slots();
        int from = slots.producer();
        var works =
                slots.unpublished(pending(),
                        (slot, address, bytes) -> PostedSlots.send(type, slot, address, bytes));
        int count = super.publish();
        if (!works.isEmpty()) {
            listener.accept(new RingEvent.Posted(
                    UverbsObject.QP, handle, number, false, from, slots.producer(), slots.consumer(), works));
        }
        return count;
    }
}

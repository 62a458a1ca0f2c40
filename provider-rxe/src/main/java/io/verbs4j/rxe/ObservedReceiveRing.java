// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingEvent;
import io.verbs4j.spi.RingListener;
import java.lang.foreign.MemorySegment;

/// A receive ring that reports each batch. It replaces the usual ring only if there is a listener.
final class ObservedReceiveRing extends ReceiveRing {
    private final RingListener listener;
    private final int number;
    private final UverbsObject owner;
    private final int handle;

    /// @param ring the ring's name for errors
    /// @param owner queue pair or shared receive queue
    /// @param handle the owner's handle
    /// @param number the queue pair's number; 0 for a shared receive queue
    ObservedReceiveRing(
            MemorySegment mapping, int maxScatterGather, String ring, RingListener listener, UverbsObject owner,
            int handle, int number) {
        super(mapping, maxScatterGather, ring);
        this.listener = listener;
        this.number = number;
        this.owner = owner;
        this.handle = handle;
    }

    /// Copies the slots before they are published, because the kernel changes published slots.
    @Override
    public int publish() {
        RingSlots slots = slots();
        int from = slots.producer();
        var works =
                slots.unpublished(pending(),
                        PostedSlots::receive);
        int count = super.publish();
        if (!works.isEmpty()) {
            listener.accept(new RingEvent.Posted(
                    owner, handle, number, true, from, slots.producer(), slots.consumer(), works));
        }
        return count;
    }
}

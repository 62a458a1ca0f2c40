// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ForwardingCompletionQueue;
import java.util.ArrayList;
import java.util.List;

/// A completion queue that tells the trace of each batch. Stands in for the queue only if the data path is traced.
final class TracedCompletionQueue extends ForwardingCompletionQueue {
    private final RxeCompletionQueue queue;
    private final RingTrace trace;
    private final String name;
    private final List<byte[]> taken = new ArrayList<>();

    TracedCompletionQueue(RxeCompletionQueue queue, RingTrace trace) {
        super(queue);
        this.queue = queue;
        this.trace = trace;
        this.name = "completion ring of " + trace.tracer().nameOf(UverbsObject.CQ, queue.handle());
    }

    /// Copies the slot before it is given back.
    @Override
    public boolean next(Completion completion) {
        RingSlots slots = queue.slots();
        int slot = slots.after(slots.consumer(), taken.size());
        if (!super.next(completion)) {
            return false;
        }
        taken.add(slots.copy(slot));
        return true;
    }

    @Override
    public void end() {
        if (taken.isEmpty()) {
            super.end();
            return;
        }
        RingSlots slots = queue.slots();
        int from = slots.consumer();
        super.end();
        trace.completed(name, from, slots.consumer(), slots.producer(), taken, slots.address(from));
        taken.clear();
    }

    @Override
    public void resize(int entries) {
        end();
        super.resize(entries);
    }
}

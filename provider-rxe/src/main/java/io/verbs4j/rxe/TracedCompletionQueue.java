// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.types.RingReading;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A completion queue that tells the trace of each batch. Stands in for the queue only if the data path is traced.
final class TracedCompletionQueue extends ProviderCompletionQueue {
    private final RxeCompletionQueue queue;
    private final RingTrace trace;
    private final String name;
    private final List<byte[]> taken = new ArrayList<>();

    TracedCompletionQueue(RxeCompletionQueue queue, RingTrace trace) {
        this.queue = queue;
        this.trace = trace;
        this.name = "completion ring of " + trace.tracer().nameOf(UverbsObject.CQ, queue.handle());
    }

    @Override
    public int handle() {
        return queue.handle();
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int begin() {
        return queue.begin();
    }

    /// Copies the slot before it is given back.
    @Override
    public boolean next(Completion completion) {
        var slots = new RingSlots(queue.segment());
        int slot = slots.after(slots.consumer(), taken.size());
        if (!queue.next(completion)) {
            return false;
        }
        taken.add(slots.copy(slot));
        return true;
    }

    @Override
    public void end() {
        if (taken.isEmpty()) {
            queue.end();
            return;
        }
        var slots = new RingSlots(queue.segment());
        int from = slots.consumer();
        queue.end();
        trace.completed(name, from, slots.consumer(), slots.producer(), taken, slots.address(from));
        taken.clear();
    }

    @Override
    public @Nullable RingReading readRing() {
        return queue.readRing();
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        queue.requestNotification(solicitedOnly);
    }

    @Override
    public void resize(int entries) {
        end();
        queue.resize(entries);
    }

    @Override
    public EventCounts destroy() {
        return queue.destroy();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ForwardingCompletionQueue;
import io.verbs4j.spi.RingEvent;
import io.verbs4j.spi.RingEvent.CompletedRequest;
import io.verbs4j.spi.RingListener;
import java.util.ArrayList;
import java.util.List;

/// A completion queue that reports each batch. It replaces the usual queue only if there is a listener.
final class ObservedCompletionQueue extends ForwardingCompletionQueue {
    private final RxeCompletionQueue queue;
    private final RingListener listener;
    private final List<CompletedRequest> taken = new ArrayList<>();

    ObservedCompletionQueue(RxeCompletionQueue queue, RingListener listener) {
        super(queue);
        this.queue = queue;
        this.listener = listener;
    }

    /// Copies the slot before it is returned to the kernel.
    @Override
    public boolean next(Completion completion) {
        RingSlots slots = queue.slots();
        int slot = slots.after(slots.consumer(), taken.size());
        if (!super.next(completion)) {
            return false;
        }
        taken.add(PostedSlots.completion(slot, slots.address(slot), slots.copy(slot)));
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
        listener.accept(new RingEvent.Completed(queue.handle(), from, slots.consumer(), slots.producer(), taken));
        taken.clear();
    }

    @Override
    public void resize(int entries) {
        end();
        super.resize(entries);
    }
}

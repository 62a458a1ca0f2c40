// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;

/// The part of a completion queue that polls its ring.
abstract class RingCompletionQueue extends ProviderCompletionQueue {
    /// The ring, which a resize replaces.
    CompletionRing ring;

    RingCompletionQueue(CompletionRing ring) {
        this.ring = ring;
    }

    @Override
    public final int capacity() {
        return ring.capacity();
    }

    @Override
    public final int begin() {
        return ring.begin();
    }

    @Override
    public final boolean next(Completion completion) {
        return ring.next(completion);
    }

    @Override
    public final int next(Completion[] completions, int max) {
        return ring.next(completions, max);
    }

    @Override
    public final void end() {
        ring.end();
    }
}

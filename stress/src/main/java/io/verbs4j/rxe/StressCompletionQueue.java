// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;

/// The part of [RxeCompletionQueue] that polls.
final class StressCompletionQueue extends ProviderCompletionQueue {
    private final CompletionRing ring;

    StressCompletionQueue(CompletionRing ring) {
        this.ring = ring;
    }

    @Override
    public int handle() {
        return 0;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int begin() {
        return ring.begin();
    }

    @Override
    public boolean next(Completion completion) {
        return ring.next(completion);
    }

    @Override
    public boolean take(Completion completion) {
        return ring.take(completion);
    }

    @Override
    public void end() {
        ring.end();
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resize(int entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void destroy() {}
}

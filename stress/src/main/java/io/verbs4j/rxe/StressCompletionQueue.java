// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

/// A completion queue that can only be polled, as [RxeCompletionQueue] is.
final class StressCompletionQueue extends RingCompletionQueue {
    StressCompletionQueue(CompletionRing ring) {
        super(ring);
    }

    @Override
    public int handle() {
        return 0;
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

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.request;
import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.Feature;
import io.verbs4j.types.QueuePairType;

/// Checks shared receive queues, and the asynchronous events of their limits.
record SharedQueueChecks(Bench bench, Checklist list) {
    private static final int RECEIVES = 16;
    private static final int LIMIT = 4;

    void run() {
        list.check("shared receive queue: receive", bench, Feature.SHARED_RECEIVE_QUEUE, this::receive);
        list.check("shared receive queue: limit event", bench, Feature.SHARED_RECEIVE_QUEUE, this::limitEvent);
        list.optional("shared receive queue: resize", this::resize);
    }

    private String receive() throws InterruptedException {
        try (
                SharedReceiveQueue shared = bench.domain().createSharedReceiveQueue(RECEIVES, 1);
                Pair pair = bench.pair(
                        QueuePairType.RC, builder -> builder, builder -> builder.sharedReceiveQueue(shared))) {
            for (int round = 0; round < 3; round++) {
                post(shared, pair.right().memory(), RECEIVES);
                for (int i = 0; i < RECEIVES; i++) {
                    send(pair, i);
                }
            }
            return "capacity " + shared.capacity();
        }
    }

    private static void post(SharedReceiveQueue shared, MemoryRegion memory, int count) {
        try (ReceiveBatch receives = shared.beginReceive()) {
            for (int i = 0; i < count; i++) {
                require(receives.workRequestId(i).receive(memory, 64L * i, 64), "no room at " + i);
            }
            receives.submit();
        }
    }

    private static void send(Pair pair, int id) throws InterruptedException {
        pair.left().post(request(id).send().local(pair.left().memory(), 0, 64));
        pair.left().success(id, CompletionOpcode.SEND);
        CompletionRecord received = pair.right().success(id, CompletionOpcode.RECEIVE);
        require(
                received.queuePairNumber() == pair.right().queuePair().number(),
                received + " instead of " + pair.right().queuePair());
    }

    private String limitEvent() throws InterruptedException {
        try (
                SharedReceiveQueue shared = bench.domain().createSharedReceiveQueue(RECEIVES, 1);
                Pair pair = bench.pair(
                        QueuePairType.RC, builder -> builder, builder -> builder.sharedReceiveQueue(shared))) {
            post(shared, pair.right().memory(), LIMIT);
            shared.armLimit(LIMIT);
            send(pair, 0);
            AsyncEvent event = bench.context().asyncEvents().take(Peer.TIMEOUT);
            while (event != null && !event.type().equals(AsyncEventType.SRQ_LIMIT_REACHED)) {
                event = bench.context().asyncEvents().take(Peer.TIMEOUT); // such as COMMUNICATION_ESTABLISHED
            }
            if (event == null) {
                throw new ToolException("no event arrived within " + Peer.TIMEOUT.toSeconds() + " s");
            }
            require(event.object() == shared, "expected an event of the queue, got " + event);
        }
        return "";
    }

    private String resize() {
        if (!bench.context().supports(Feature.SHARED_RECEIVE_QUEUE)) {
            throw new LeftOutException("the driver does not announce " + Feature.SHARED_RECEIVE_QUEUE);
        }
        try (SharedReceiveQueue shared = bench.domain().createSharedReceiveQueue(RECEIVES, 1)) {
            shared.resize(8 * RECEIVES);
            require(shared.capacity() >= 8 * RECEIVES, "capacity=" + shared.capacity());
            return "capacity " + shared.capacity();
        }
    }
}

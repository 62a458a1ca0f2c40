// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.request;
import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.Feature;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// Checks the operations of a reliable connection between two queue pairs of the device.
record ReliableChecks(Bench bench, Checklist list) {
    private static final int[] LENGTHS = {1, 64, 4097, 65_536};
    private static final int IMMEDIATE = 0x0102_0304;
    private static final int WRAPS = 3;

    void run() {
        list.check("RC: connect", () -> bench.connectsByAddress()
                ? "by address, from " + bench.common().left().queuePair() + " to " + bench.common().right().queuePair()
                : "from " + bench.common().left().queuePair() + " to " + bench.common().right().queuePair());
        list.check("RC: send, 1 B to 64 KiB", this::send);
        list.optional("RC: send with immediate data", this::sendWithImmediate);
        list.check("RC: send of two buffers", this::sendOfTwoBuffers);
        list.check("RC: RDMA write, 1 B to 64 KiB", this::write);
        list.optional("RC: RDMA write with immediate data", this::writeWithImmediate);
        list.check("RC: RDMA read, 1 B to 64 KiB", this::read);
        list.check("RC: inline send and write", this::inline);
        list.check("RC: compare and swap", bench, Feature.ATOMICS, this::compareAndSwap);
        list.check("RC: fetch and add", bench, Feature.ATOMICS, this::fetchAndAdd);
        list.check("RC: unsignaled batches, " + WRAPS + " wraps of the ring", this::batches);
        list.optional("RC: region at a chosen address", this::addressOfChoice);
        list.check("RC: event of the completion channel", this::event);
        list.optional("RC: event only for a solicited message", this::solicited);
    }

    private String send() throws InterruptedException {
        Pair pair = bench.common();
        for (int length : LENGTHS) {
            pair.prepare(0, length, length);
            pair.right().receive(1, 0, length);
            pair.left().post(request(2).send().local(pair.left().memory(), 0, length));
            received(pair, 1, length);
            pair.left().success(2, CompletionOpcode.SEND);
            pair.requireSame(0, length);
        }
        return "";
    }

    private static CompletionRecord received(Pair pair, long id, int length) throws InterruptedException {
        CompletionRecord completion = pair.right().success(id, CompletionOpcode.RECEIVE);
        require(completion.byteLength() == length, completion + " instead of " + length + " bytes");
        require(completion.queuePairNumber() == pair.right().queuePair().number(),
                completion + " instead of " + pair.right().queuePair());
        return completion;
    }

    private String sendWithImmediate() throws InterruptedException {
        Pair pair = bench.common();
        pair.prepare(0, 100, 3);
        pair.right().receive(1, 0, 100);
        try {
            pair.left().post(request(2).send().immediate(IMMEDIATE).local(pair.left().memory(), 0, 100));
        } catch (RuntimeException e) {
            bench.discard(); // a receive stays posted, and no message will arrive for it
            throw e;
        }
        CompletionRecord completion = received(pair, 1, 100);
        require(completion.hasImmediateData() && completion.immediateData() == IMMEDIATE, completion.toString());
        pair.left().success(2, CompletionOpcode.SEND);
        pair.requireSame(0, 100);
        return "";
    }

    private String sendOfTwoBuffers() throws InterruptedException {
        require(bench.context().attributes().maxScatterGather() >= 2, "the device supports only one buffer");
        try (
                Pair pair = bench.pair(
                        QueuePairType.RC, builder -> builder.maxSendScatterGather(2).maxReceiveScatterGather(2))) {
            pair.prepare(0, 300, 5);
            LocalMemory there = pair.right().memory().local();
            try (var receives = pair.right().queuePair().beginReceive()) {
                receives.workRequestId(1).receive(there.slice(0, 40), there.slice(1000, 260));
                receives.submit();
            }
            LocalMemory here = pair.left().memory().local();
            pair.left().post(request(2).send().local(here.slice(0, 100), here.slice(100, 200)));
            received(pair, 1, 300);
            pair.left().success(2, CompletionOpcode.SEND);
            Pair.requireSame(pair.left().bytes(0, 40), pair.right().bytes(0, 40));
            Pair.requireSame(pair.left().bytes(40, 260), pair.right().bytes(1000, 260));
        }
        return "";
    }

    private String write() throws InterruptedException {
        Pair pair = bench.common();
        RemoteMemory remote = pair.right().memory().remote();
        for (int length : LENGTHS) {
            pair.prepare(0, length, length + 1);
            pair.left().post(request(1).write().local(pair.left().memory(), 0, length).remote(remote));
            pair.left().success(1, CompletionOpcode.RDMA_WRITE);
            bench.requireWritten(pair.left().bytes(0, length), pair.right().bytes(0, length));
        }
        pair.right().none();
        return "";
    }

    private String writeWithImmediate() throws InterruptedException {
        Pair pair = bench.common();
        pair.prepare(0, 100, 7);
        pair.right().receive(1, 0, 0);
        try {
            pair.left()
                    .post(request(2).write()
                            .immediate(IMMEDIATE)
                            .local(pair.left().memory(), 0, 100)
                            .remote(pair.right().memory().remote()));
        } catch (RuntimeException e) {
            bench.discard(); // a receive stays posted, and no message will arrive for it
            throw e;
        }
        CompletionRecord completion = pair.right().success(1, CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        require(completion.hasImmediateData() && completion.immediateData() == IMMEDIATE, completion.toString());
        pair.left().success(2, CompletionOpcode.RDMA_WRITE);
        pair.requireSame(0, 100);
        return "";
    }

    private String read() throws InterruptedException {
        Pair pair = bench.common();
        RemoteMemory remote = pair.right().memory().remote();
        for (int length : LENGTHS) {
            pair.left().bytes(0, length).fill((byte) 0);
            Pair.fill(pair.right().bytes(0, length), length + 2);
            pair.left().post(request(1).read().local(pair.left().memory(), 0, length).remote(remote));
            pair.left().success(1, CompletionOpcode.RDMA_READ);
            pair.requireSame(0, length);
        }
        return "";
    }

    private String inline() throws InterruptedException {
        Pair pair = bench.common();
        int length = Bench.INLINE;
        MemorySegment payload = MemorySegment.ofArray(new byte[length]);
        Pair.fill(payload, 9);
        pair.prepare(0, 2L * length, 0);
        pair.right().receive(1, 0, length);
        pair.left()
                .post(request(2).send().inline(payload),
                        request(3).write().inline(payload).remote(pair.right().memory().remote(), length));
        received(pair, 1, length);
        pair.left().success(2, CompletionOpcode.SEND);
        pair.left().success(3, CompletionOpcode.RDMA_WRITE);
        Pair.requireSame(payload, pair.right().bytes(0, length));
        bench.requireWritten(payload, pair.right().bytes(length, length));
        return "up to " + pair.left().queuePair().capabilities().maxInlineData() + " bytes";
    }

    private String compareAndSwap() throws InterruptedException {
        Pair pair = bench.common();
        RemoteMemory remote = pair.right().memory().remote();
        MemorySegment word = pair.right().bytes(0, 8);
        MemorySegment before = pair.left().bytes(0, 8);
        word.set(ValueLayout.JAVA_LONG, 0, 40);
        pair.left().post(request(1).compareAndSwap(40, 41).local(pair.left().memory(), 0, Long.BYTES).remote(remote));
        pair.left().success(1, CompletionOpcode.COMPARE_AND_SWAP);
        requireWords(before, 40, word, 41);
        pair.left().post(request(2).compareAndSwap(40, 42).local(pair.left().memory(), 0, Long.BYTES).remote(remote));
        pair.left().success(2, CompletionOpcode.COMPARE_AND_SWAP);
        requireWords(before, 41, word, 41);
        return "";
    }

    private String fetchAndAdd() throws InterruptedException {
        Pair pair = bench.common();
        MemorySegment word = pair.right().bytes(8, 8);
        word.set(ValueLayout.JAVA_LONG, 0, -1);
        pair.left()
                .post(request(1).fetchAndAdd(3)
                        .local(pair.left().memory(), 0, Long.BYTES)
                        .remote(pair.right().memory().remote(), 8));
        pair.left().success(1, CompletionOpcode.FETCH_AND_ADD);
        requireWords(pair.left().bytes(0, 8), -1, word, 2);
        return "";
    }

    private static void requireWords(MemorySegment before, long expectedBefore, MemorySegment after, long expected) {
        long was = before.get(ValueLayout.JAVA_LONG, 0);
        long is = after.get(ValueLayout.JAVA_LONG, 0);
        require(
                was == expectedBefore && is == expected,
                "before " + was + ", not " + expectedBefore + "; after " + is + ", not " + expected);
    }

    private String batches() throws InterruptedException {
        try (Pair pair = bench.pair(QueuePairType.RC, builder -> builder.maxSends(16).maxReceives(16))) {
            RemoteMemory remote = pair.right().memory().remote();
            int capacity = pair.left().queuePair().capabilities().maxSendWorkRequests();
            int batch = Math.min(capacity, 16);
            pair.prepare(0, 64L * batch, 11);
            for (int done = 0; done < WRAPS * capacity; done += batch) {
                try (var sends = pair.left().queuePair().beginSend()) {
                    for (int i = 0; i < batch; i++) {
                        if (i == batch - 1) {
                            sends.signaled().workRequestId(done);
                        }
                        require(sends.write()
                                .local(pair.left().memory(), 64L * i, 64)
                                .remote(remote, 64L * i)
                                .post(), "no room at " + i);
                    }
                    sends.submit();
                }
                pair.left().success(done, CompletionOpcode.RDMA_WRITE);
            }
            bench.requireWritten(pair.left().bytes(0, 64L * batch), pair.right().bytes(0, 64L * batch));
            return "batches of " + batch + " in a ring of " + capacity;
        }
    }

    private String addressOfChoice() throws InterruptedException {
        Pair pair = bench.common();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8192, 4096);
            try (
                    MemoryRegion region = bench.domain()
                            .registerAt(memory, 1L << 40, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
                Pair.fill(pair.left().bytes(0, 100), 15);
                pair.left().post(request(1).write().local(pair.left().memory(), 0, 100).remote(region.remote(), 50));
                pair.left().success(1, CompletionOpcode.RDMA_WRITE);
                Pair.requireSame(pair.left().bytes(0, 100), memory.asSlice(50, 100));
            }
        }
        return "";
    }

    private String event() throws InterruptedException {
        Pair pair = bench.common();
        pair.right().queue().requestNotification(false);
        pair.right().none();
        send(pair, 1, false);
        require(pair.right().channel().take(Peer.TIMEOUT) == pair.right().queue(), "no event arrived");
        received(pair, 1, 8);
        return "";
    }

    private String solicited() throws InterruptedException {
        Pair pair = bench.common();
        pair.right().queue().requestNotification(true);
        send(pair, 1, false);
        received(pair, 1, 8);
        require(pair.right().channel().take(Duration.ZERO) == null, "unexpected event for an unsolicited message");
        send(pair, 2, true);
        require(pair.right().channel().take(Peer.TIMEOUT) == pair.right().queue(), "no event arrived");
        received(pair, 2, 8);
        return "";
    }

    private static void send(Pair pair, long id, boolean solicited) throws InterruptedException {
        pair.right().receive(id, 0, 8);
        pair.left()
                .post((solicited ? new SendWorkRequest().solicited() : new SendWorkRequest()).signaled()
                        .workRequestId(id)
                        .send()
                        .local(pair.left().memory(), 0, 8));
        pair.left().success(id, CompletionOpcode.SEND);
    }
}

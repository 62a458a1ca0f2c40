// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.Access;
import io.verbs4j.types.Mtu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/// One end of a ping-pong that is measured round by round in a process that stays warm. Does what a round of C's
/// `ibv_rc_pingpong` does: the same messages, receives, completions and doorbells, polling without pause.
///
/// Usage: `PingPongEnd DEVICE BYTES first|second`. Prints its endpoint; then takes lines from standard input: first the peer's
/// endpoint, then a number of iterations for each round, which it answers by the round's microseconds per iteration.
final class PingPongEnd implements CompletionHandler {
    private static final int DEPTH = 500;
    private static final int RECEIVED = 1;
    private static final int SENT = 2;
    private static final int AT_A_TIME = 2;

    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final PreparedQueuePair prepared;
    private final boolean first;
    private QueuePair queuePair;
    private int receives;
    private int sent;
    private int received;
    private int iterations;
    private int pending;

    private PingPongEnd(Context context, int bytes, boolean first) {
        var domain = context.allocateProtectionDomain();
        this.queue = context.createCompletionQueue(DEPTH + 1);
        this.memory = domain.allocate(bytes, Access.LOCAL_WRITE);
        this.prepared = domain.reliableConnection(queue)
                .maxSends(1)
                .maxReceives(DEPTH)
                .gid(GidSelector.index(1))
                .pathMtu(Mtu.MTU_1024)
                .prepare();
        this.first = first;
    }

    static void main(String[] args) throws IOException {
        try (
                var context = Devices.open(args[0]);
                var lines = new BufferedReader(new InputStreamReader(System.in))) {
            var end = new PingPongEnd(context, Integer.parseInt(args[1]), args[2].equals("first"));
            System.out.println(end.prepared.endpoint());
            end.connect(lines.readLine());
            for (String line; (line = lines.readLine()) != null;) {
                int iterations = Integer.parseInt(line);
                System.out.printf("%.2f%n", end.round(iterations) / 1e3 / iterations);
            }
        }
    }

    private void connect(String endpoint) {
        queuePair = prepared.connect(QueuePairEndpoint.parse(endpoint));
        replenish();
    }

    /// @return nanoseconds
    private long round(int times) {
        sent = 0;
        received = 0;
        iterations = times;
        pending = RECEIVED;
        long start = System.nanoTime();
        if (first) {
            send();
        }
        while (sent < times || received < times) {
            queue.poll(AT_A_TIME, this);
        }
        return System.nanoTime() - start;
    }

    @Override
    public void completed(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
        int what = (int) completion.workRequestId();
        if (what == SENT) {
            sent++;
        } else {
            received++;
            if (--receives <= 1) {
                replenish();
            }
        }
        pending &= ~what;
        if (pending == 0 && sent < iterations) {
            send();
        }
    }

    private void send() {
        try (var batch = queuePair.beginSend()) {
            batch.workRequestId(SENT).signaled().send(memory, 0, memory.length());
            batch.submit();
        }
        pending = SENT | RECEIVED;
    }

    private void replenish() {
        try (var batch = queuePair.beginReceive()) {
            while (receives < DEPTH && batch.workRequestId(RECEIVED).receive(memory, 0, memory.length())) {
                receives++;
            }
            batch.submit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Creates and closes contexts and queue pairs, hundreds of them, or tens of thousands in the long form
/// ([Soak#MINUTES]). In the end no more resources are held than at the start.
@DeviceTest
@Timeout(value = 90, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs.OneKernel
@Needs.LongRun("dozens of contexts and hundreds of queue pairs")
class ContextCyclesIT {
    private static final boolean LONG = Soak.MINUTES > 0;
    private static final int CONTEXTS = LONG ? 10_000 : 60;
    private static final int QUEUE_PAIRS = LONG ? 20_000 : 200;
    private static final int AT_A_TIME = 20;

    /// Does something often, of which the first tenth loads and compiles what there is.
    private static void often(int times, String what, IntConsumer turn) {
        for (int i = 0; i < times / 10; i++) {
            turn.accept(i);
        }
        Holdings before = Holdings.now();
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            turn.accept(i);
        }
        long micros = (System.nanoTime() - start) / 1000 / times;
        Holdings after = Holdings.now();
        IO.println(times + " " + what + ", " + micros + " µs each; " + before + ", then " + after);
        after.requireNoMoreThan(before);
    }

    @Test
    void ofContextsWithAllTheirObjectsLeaveNothing() {
        often(CONTEXTS, "contexts", turn -> {
            try (var context = Rxe.open(turn % 2 == 0 ? Rxe.LEFT : Rxe.RIGHT)) {
                var channel = context.createCompletionChannel();
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(channel));
                domain.allocate(8192, Access.LOCAL_WRITE);
                domain.createSharedReceiveQueue(16, 1);
                if (turn % 8 == 0) {
                    domain.reliableConnection(queue).create();
                    context.asyncEvents().poll();
                }
            }
        });
    }

    @Test
    void ofContextsThatAreUsedLeaveNothing() {
        often(CONTEXTS / 10, "contexts with a write", _ -> {
            try (var context = Rxe.open()) {
                assertThat(Probe.writeToItself(context)).isEqualTo(CompletionStatus.SUCCESS);
            }
        });
    }

    /// Some are closed with receives in them, some with sends under way, some have never left RESET.
    @Test
    void ofQueuePairsLeaveNothing() {
        try (var context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(8192);
            var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            long[] completed = new long[1];
            often(QUEUE_PAIRS / AT_A_TIME, "times " + AT_A_TIME + " queue pairs", turn -> {
                for (int i = 0; i < AT_A_TIME; i++) {
                    var prepared = domain.reliableConnection(queue).maxSends(8).maxReceives(8).prepare();
                    if (i % 3 == 0) {
                        prepared.close();
                        continue;
                    }
                    try (var queuePair = prepared.connect(prepared.endpoint())) {
                        try (var receives = queuePair.beginReceive()) {
                            receives.receive(memory, 0, 64);
                            receives.submit();
                        }
                        try (var sends = queuePair.beginSend()) {
                            sends.signaled().write().local(memory, 0, 64).remote(memory.remote(), 64).post();
                            sends.submit();
                        }
                        if (i % 3 == 1) {
                            completed[0] += awaitOne(queue);
                        }
                    }
                }
                while (queue.poll(64, completion -> Objects.requireNonNull(completion.status())) > 0) {
                    // what completed before its queue pair was closed
                }
            });
            assertThat(completed[0]).isPositive();
        }
    }

    private static int awaitOne(CompletionQueue queue) {
        try {
            return queue.poll(1, _ -> {}, Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

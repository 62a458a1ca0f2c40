// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A reset while completions of earlier work wait: they are not mixed up with the completions of later work. Only mlx5
/// drops them.
@DeviceTest
@AnyDevice.AlsoOverMlx5
@Needs.NoKernel
class ResetIT {
    /// More than a poll fetches at once.
    private static final int RECEIVES = 32;

    private static final int LATER = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Context context = Wire.open();
    private final List<Long> polled = new ArrayList<>();

    @AfterEach
    void close() {
        context.close();
    }

    private QueuePair queuePair(CompletionQueue queue) {
        return context.allocateProtectionDomain().reliableConnection(queue).maxReceives(RECEIVES).create();
    }

    private static void modify(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /// Posts receives to a queue pair in RESET, and lets the device flush them.
    private static void flushReceives(QueuePair queuePair, long firstIdentifier) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .port(1)
                .pkeyIndex(0)
                .accessFlags(0)
                .build());
        try (var batch = queuePair.beginReceive()) {
            for (int i = 0; i < RECEIVES; i++) {
                assertThat(batch.workRequestId(firstIdentifier + i).post(0, 0, 0)).isTrue();
            }
            batch.submit();
        }
        modify(queuePair, QueuePairState.ERR);
    }

    /// Polls until the last completion. Those of earlier work may end before their last one.
    private void assertCompletions(CompletionQueue queue) {
        Eventually.until(LIMIT, () -> {
            queue.poll(2 * RECEIVES, completion -> polled.add(completion.workRequestId()));
            return !polled.isEmpty() && polled.getLast() == LATER + RECEIVES - 1;
        }, polled::toString);
        assertThat(polled).isEqualTo(LongStream.concat(
                LongStream.range(0, polled.size() - RECEIVES),
                LongStream.range(LATER, LATER + RECEIVES)).boxed().toList());
    }

    /// A handler runs for the first of 32 completions. The thread has fetched at most half of them.
    @Test
    void aThreadThatPollsGetsTheIdentifiersOfTheirWork() throws Exception {
        CompletionQueue queue = context.createCompletionQueue(4 * RECEIVES);
        QueuePair queuePair = queuePair(queue);
        flushReceives(queuePair, 0);
        var inHandler = new CyclicBarrier(2);
        var polling = InThread.PLATFORM.start(() -> queue.poll(2 * RECEIVES, completion -> {
            if (polled.isEmpty()) {
                InThread.await(inHandler);
                InThread.await(inHandler);
            }
            polled.add(completion.workRequestId());
        }, LIMIT));
        InThread.await(inHandler);
        var resetting = InThread.PLATFORM.start(() -> {
            modify(queuePair, QueuePairState.RESET);
            flushReceives(queuePair, LATER);
            return true;
        });
        Eventually.until(() -> resetting.isDone() || resetting.isWaiting(), resetting::toString);
        InThread.await(inHandler);

        assertThat(polling.result()).isPositive();
        assertThat(resetting.result()).isTrue();
        assertCompletions(queue);
    }

    @ParameterizedTest(name = "single-threaded: {0}")
    @ValueSource(booleans = {false, true})
    void laterWorkCompletes(boolean singleThreaded) {
        var options = CompletionQueueOptions.entries(4 * RECEIVES);
        CompletionQueue queue =
                context.createCompletionQueue(singleThreaded ? options.withSingleThread() : options);
        QueuePair queuePair = queuePair(queue);
        flushReceives(queuePair, 0);
        modify(queuePair, QueuePairState.RESET);
        flushReceives(queuePair, LATER);
        assertCompletions(queue);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Lets threads work on the same objects at the same time. [SchedulesTest] calls it among rewritten classes.
final class Schedules {
    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(FileCalls.oneAtATime(device));
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final List<CompletionQueue> queues =
            List.of(context.createCompletionQueue(8), context.createCompletionQueue(8));

    private Schedules() {
        device.completeAtDoorbell();
    }

    /// Two threads, each in a batch of completions of one queue, close or reset queue pairs that use both.
    static void endInBatches(long seed) throws Exception {
        var on = new Schedules();
        var schedule = new Schedule(seed);
        for (int i = 0; i < 2; i++) {
            CompletionQueue mine = on.queues.get(i);
            QueuePair pair = on.pair(mine, on.queues.get(1 - i));
            boolean reset = (seed >> i & 1) != 0;
            schedule.add("thread in a batch of " + mine, () -> {
                try (var _ = mine.beginPoll()) {
                    on.end(pair, reset);
                }
            });
        }
        on.requireNoFailure(schedule);
    }

    /// A thread closes the context while two others make objects.
    static void createWhileTheContextCloses(long seed) throws Exception {
        var on = new Schedules();
        var schedule = new Schedule(seed);
        schedule.add("thread that closes the context", on.context::close);
        for (int i = 0; i < 2; i++) {
            schedule.add("thread that creates " + i, () -> on.unlessClosed(() -> {
                ProtectionDomain mine = on.context.allocateProtectionDomain();
                mine.allocate(64, Access.LOCAL_WRITE);
                mine.reliableConnection(on.queues.getFirst()).create();
            }));
        }
        on.requireNoFailure(schedule);
        assertThat(on.context.isClosed()).isTrue();
    }

    /// Three threads create, post, poll, reset and close by lot.
    static void doAllByLot(long seed) throws Exception {
        var on = new Schedules();
        var shared = List.of(
                on.pair(on.queues.get(0), on.queues.get(1)), on.pair(on.queues.get(1), on.queues.get(0)));
        var schedule = new Schedule(seed);
        for (int i = 0; i < 3; i++) {
            var lot = new Random(seed * 31 + i);
            schedule.add("thread " + i, () -> {
                for (int step = 0; step < 6; step++) {
                    on.unlessClosed(() -> on.doOne(lot, shared));
                }
            });
        }
        on.requireNoFailure(schedule);
    }

    private void doOne(Random lot, List<QueuePair> shared) {
        QueuePair pair = shared.get(lot.nextInt(shared.size()));
        CompletionQueue queue = queues.get(lot.nextInt(queues.size()));
        switch (lot.nextInt(6)) {
            case 0 -> pair.close();
            case 1 -> end(pair, true);
            case 2 -> queue.poll(4, _ -> {});
            case 3 -> pair(queue, queues.getFirst()).close();
            case 4 -> {
                try (var _ = queue.beginPoll()) {
                    end(pair, lot.nextBoolean());
                }
            }
            default -> {
                try (var _ = pair.beginReceive()) {
                    queue.poll(1, _ -> {});
                }
            }
        }
    }

    private QueuePair pair(CompletionQueue sends, CompletionQueue receives) {
        return domain.reliableConnection(sends).receiveCompletionQueue(receives).create();
    }

    private void end(QueuePair pair, boolean reset) {
        if (reset) {
            pair.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        } else {
            pair.close();
        }
    }

    /// Ends quietly if another thread has closed what the action uses.
    private void unlessClosed(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageMatching("(?s).*(closed|being used to create|is in RESET|must be).*");
        }
    }

    private void requireNoFailure(Schedule schedule) throws InterruptedException {
        var failures = new ArrayList<>(schedule.run());
        if (!failures.isEmpty()) {
            var first = new AssertionError("a thread has failed", failures.removeFirst());
            failures.forEach(first::addSuppressed);
            throw first;
        }
        context.close();
        assertThat(device.left()).isEmpty();
        device.free();
    }
}

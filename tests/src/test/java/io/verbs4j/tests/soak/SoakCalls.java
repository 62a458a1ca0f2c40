// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import io.verbs4j.CompletionBatch;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.NotSupportedException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The random calls of one thread.
final class SoakCalls {
    private final Soak soak;
    private final RandomGenerator random;

    SoakCalls(Soak soak, RandomGenerator random) {
        this.soak = soak;
        this.random = random;
    }

    void next() throws InterruptedException {
        int choice = random.nextInt(1000);
        if (choice < 550) {
            post();
        } else if (choice < 900) {
            poll();
        } else if (choice < 925) {
            await();
        } else if (choice < 940) {
            inUse(pipe -> (random.nextBoolean() ? pipe.left : pipe.right).abandon());
        } else if (choice < 960) {
            flush();
        } else if (choice < 968) {
            closeInUse();
        } else if (choice < 975) {
            side().resize(random);
            soak.tally.count(Tally.Item.RESIZED);
        } else if (choice < 985) {
            region();
        } else if (choice < 990) {
            look();
        } else if (choice < 993) {
            context();
        } else {
            inUse(pipe -> pipe.modify(random));
        }
    }

    private SoakSide side() {
        return soak.sides.get(random.nextInt(soak.sides.size()));
    }

    private CompletionQueue queue() {
        var queues = side().queues;
        return queues.get(random.nextInt(queues.size()));
    }

    private void post() {
        inUse(pipe -> pipe.post(random));
    }

    /// Does something with a pair of connected queue pairs, which another thread may close.
    private void inUse(Consumer<Pipe> call) {
        Pipe pipe = soak.pipe(random.nextInt(soak.places()));
        if (!pipe.quiet.readLock().tryLock()) {
            return;
        }
        try {
            if (!pipe.isEnding()) {
                call.accept(pipe);
            }
        } catch (IllegalStateException e) {
            requireClosed(pipe, e);
        } finally {
            pipe.quiet.readLock().unlock();
        }
    }

    private static void requireClosed(Pipe pipe, IllegalStateException e) {
        if (!pipe.isEnding()) {
            throw e;
        }
    }

    private void poll() {
        if (random.nextInt(4) > 0) {
            soak.poll(queue());
            return;
        }
        try (CompletionBatch batch = queue().beginPoll()) {
            int most = random.nextInt(256);
            while (most-- > 0 && batch.next()) {
                soak.completed(batch.current());
            }
        }
    }

    private void await() throws InterruptedException {
        SoakSide side = side();
        switch (random.nextInt(3)) {
            case 0 -> side.queues.getFirst().await(256, soak::completed, Duration.ofMillis(5));
            case 1 -> {
                side.queues.getFirst().requestNotification(random.nextBoolean());
                side.channel.take(Duration.ofMillis(2));
            }
            default -> {
                while (side.context.asyncEvents().poll() != null) {
                    // such as a limit that was reached
                }
            }
        }
        soak.tally.count(Tally.Item.AWAITED);
    }

    /// Lets queue pairs come to rest, flushes many requests through them, and makes others.
    private void flush() {
        int place = random.nextInt(soak.places());
        Pipe pipe = soak.pipe(place);
        if (!pipe.quiet.writeLock().tryLock()) {
            return;
        }
        try {
            if (pipe.isEnding()) {
                return;
            }
            try {
                pipe.flush(random.nextInt(16));
                if (pipe.kind.isResettable() && random.nextBoolean()) {
                    pipe.reset(random);
                    return;
                }
            } catch (IllegalStateException e) {
                requireClosed(pipe, e);
            }
            if (pipe.close()) {
                soak.renew(place, random);
            }
        } finally {
            pipe.quiet.writeLock().unlock();
        }
    }

    private void closeInUse() {
        int place = random.nextInt(soak.places());
        if (soak.pipe(place).close()) {
            soak.tally.add(Tally.Item.CLOSED_IN_USE, 2);
            soak.renew(place, random);
        }
    }

    private void region() {
        try (var region = side().domain.allocate(4096L * (1 + random.nextInt(8)), Access.LOCAL_WRITE)) {
            if (random.nextBoolean()) {
                region.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_READ);
            }
        } catch (NotSupportedException e) {
            // 6.1 cannot
        }
        soak.tally.count(Tally.Item.REGIONS);
    }

    private void look() {
        queue().readRing();
        side().shared.query();
        Pipe pipe = soak.pipe(random.nextInt(soak.places()));
        try {
            pipe.left.queuePair().query();
            pipe.right.queuePair().readSendRing();
        } catch (IllegalStateException e) {
            requireClosed(pipe, e);
        }
    }

    private void context() {
        try (var context = Rxe.open(random.nextBoolean() ? Rxe.LEFT : Rxe.RIGHT)) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(
                    CompletionQueueOptions.entries(16).withChannel(context.createCompletionChannel()));
            domain.allocate(4096, Access.LOCAL_WRITE);
            domain.reliableConnection(queue).create();
        }
        soak.tally.count(Tally.Item.CONTEXTS);
    }
}

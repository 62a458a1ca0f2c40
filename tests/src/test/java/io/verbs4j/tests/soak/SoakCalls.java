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
            inUse(duct -> (random.nextBoolean() ? duct.left : duct.right).abandon());
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
            inUse(duct -> duct.modify(random));
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
        inUse(duct -> duct.post(random));
    }

    /// Does something with a pair of connected queue pairs, which another thread may close.
    private void inUse(Consumer<Duct> call) {
        Duct duct = soak.duct(random.nextInt(soak.places()));
        if (!duct.quiet.readLock().tryLock()) {
            return;
        }
        try {
            if (!duct.isEnding()) {
                call.accept(duct);
            }
        } catch (IllegalStateException e) {
            requireClosed(duct, e);
        } finally {
            duct.quiet.readLock().unlock();
        }
    }

    private static void requireClosed(Duct duct, IllegalStateException e) {
        if (!duct.isEnding()) {
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
        Duct duct = soak.duct(place);
        if (!duct.quiet.writeLock().tryLock()) {
            return;
        }
        try {
            if (duct.isEnding()) {
                return;
            }
            try {
                duct.flush(random.nextInt(16));
                if (duct.kind.isResettable() && random.nextBoolean()) {
                    duct.reset(random);
                    return;
                }
            } catch (IllegalStateException e) {
                requireClosed(duct, e);
            }
            if (duct.close()) {
                soak.renew(place, random);
            }
        } finally {
            duct.quiet.writeLock().unlock();
        }
    }

    private void closeInUse() {
        int place = random.nextInt(soak.places());
        if (soak.duct(place).close()) {
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
        Duct duct = soak.duct(random.nextInt(soak.places()));
        try {
            duct.left.queuePair().query();
            duct.right.queuePair().readSendRing();
        } catch (IllegalStateException e) {
            requireClosed(duct, e);
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

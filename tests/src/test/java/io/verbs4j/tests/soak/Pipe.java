// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.random.RandomGenerator;

/// Two connected queue pairs, one kind of traffic.
final class Pipe {
    /// Kind of its traffic.
    enum Kind {
        /// Messages into receives of the queue pair's own.
        MESSAGES(QueuePairType.RC),
        /// Messages into shared receives.
        SHARED(QueuePairType.RC),
        /// Messages that may get lost.
        UNRELIABLE(QueuePairType.UC),
        /// Datagrams.
        DATAGRAMS(QueuePairType.UD),
        /// RDMA writes and reads.
        MEMORY(QueuePairType.RC),
        /// Atomics, and nothing else beside them: rxe completes one without its value if what was before it is
        /// repeated.
        ATOMICS(QueuePairType.RC),
        /// Binds and invalidations of windows.
        WINDOWS(QueuePairType.RC);

        final QueuePairType type;

        Kind(QueuePairType type) {
            this.type = type;
        }

        /// Not reads: rxe may still answer one when it is reset, and goes on with that in the next connection.
        boolean isResettable() {
            return this != MEMORY && this != ATOMICS;
        }

        boolean hasMessages() {
            return compareTo(DATAGRAMS) <= 0;
        }
    }

    final Kind kind;
    final PipeEnd left;
    final PipeEnd right;
    /// Threads that post hold it shared. A thread that waits for idle queue pairs holds it exclusively. Closing threads
    /// ignore it.
    final ReentrantReadWriteLock quiet = new ReentrantReadWriteLock();
    private final Soak soak;
    private final AtomicBoolean closing = new AtomicBoolean();
    /// Set while requests may fail.
    private volatile boolean erring;

    Pipe(Kind kind, SoakSide left, SoakSide right, Soak soak, RandomGenerator random) {
        this.kind = kind;
        this.soak = soak;
        this.left = new PipeEnd(left, this, soak, random);
        this.right = new PipeEnd(right, this, soak, random);
        connect();
    }

    private void connect() {
        left.connect(right);
        right.connect(left);
        left.beginStream();
        right.beginStream();
        left.fillReceives();
        right.fillReceives();
    }

    boolean isEnding() {
        return erring || closing.get();
    }

    /// Posts at one end.
    void post(RandomGenerator random) {
        PipeEnd from = random.nextBoolean() ? left : right;
        PipeEnd to = from == left ? right : left;
        int most = 1 + random.nextInt(128);
        switch (kind) {
            case MESSAGES, SHARED, UNRELIABLE, DATAGRAMS -> {
                to.fillReceives();
                from.postMessages(most, random);
            }
            case MEMORY -> from.postWritesAndReads(most);
            case ATOMICS -> from.postAdditions(most);
            case WINDOWS -> from.postBinds(most);
        }
    }

    /// Waits until nothing is under way, which takes however long the wire needs. The caller lets nobody post.
    private void rest() {
        soak.await(() -> {
            if (kind.hasMessages()) {
                left.fillReceives();
                right.fillReceives();
            }
            return left.sends.inFlight() + right.sends.inFlight() == 0;
        }, this);
    }

    /// Waits until the queue pairs are idle, moves them to ERR, and lets them flush receives and `rounds` send queues
    /// full of work.
    void flush(int rounds) {
        rest();
        erring = true;
        left.queuePair().modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        right.queuePair().modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        for (int round = 0; round <= rounds; round++) {
            soak.await(() -> left.inFlight() + right.inFlight() == 0, this);
            if (round < rounds) {
                left.postDoomed();
                right.postDoomed();
            }
        }
    }

    /// Resets the queue pairs, which are in ERR and have flushed everything, and connects them again with other packet
    /// sequence numbers.
    void reset(RandomGenerator random) {
        left.reset(random);
        right.reset(random);
        left.connectAgain(right);
        right.connectAgain(left);
        left.beginStream();
        right.beginStream();
        left.fillReceives();
        right.fillReceives();
        soak.tally.add(Tally.Item.RESET, 2);
        erring = false;
    }

    /// Changes what may be changed while messages are under way.
    void modify(RandomGenerator random) {
        if (kind.type == QueuePairType.RC) {
            left.queuePair()
                    .modify(QueuePairAttributes.builder()
                            .state(QueuePairState.RTS)
                            .minRnrTimer(1 + random.nextInt(12))
                            .build());
            soak.tally.count(Tally.Item.MODIFIED);
        }
    }

    /// Closes the queue pairs, even with outstanding work. Other threads may be posting.
    ///
    /// @return false if another thread is doing so
    boolean close() {
        if (!closing.compareAndSet(false, true)) {
            return false;
        }
        left.queuePair().close();
        right.queuePair().close();
        soak.drain();
        left.retire();
        right.retire();
        return true;
    }

    @Override
    public String toString() {
        return kind + " of " + left.side.context + " and " + right.side.context + ", " + left.inFlight() + " and "
                + right.inFlight() + " under way";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.Rxe;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Threads that share everything, and what they share.
final class Soak implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int DUCTS = 14;
    private static final int POLL = 256;
    /// Length of the long form; 0 for the short one.
    static final int MINUTES = Integer.getInteger("soak.minutes", 0);

    private static final Duration STUCK = Duration.ofSeconds(Integer.getInteger("soak.stuck", 200));
    private static final int MAX_FINDINGS = 8;
    private static final Duration REPORT = Duration.ofSeconds(10);

    final Tally tally = new Tally();
    final List<SoakSide> sides = new ArrayList<>();
    private final long seed;
    private final Duration length;
    private final Map<Integer, WorkLedger> ledgers = new ConcurrentHashMap<>();
    private final Map<Integer, MessageStream> streams = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable Pipe> pipes = new AtomicReferenceArray<>(DUCTS);
    private final List<Throwable> findings = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    Soak(long seed, Duration length) {
        this.seed = seed;
        this.length = length;
        sides.add(new SoakSide(Rxe.LEFT, this));
        sides.add(new SoakSide(Rxe.RIGHT, this));
    }

    /// Soaks, and then looks that nothing is missing.
    void run() throws InterruptedException {
        // All the time: while it changes, rxe's queue pairs that send end.
        try (var wire = ImpairedLink.bothWays("loss 1%")) {
            soak();
            assertThat(wire.lost(ImpairedLink.Side.LEFT)).as("packets lost by the wire").isPositive();
        }
    }

    private void soak() throws InterruptedException {
        var random = new SplittableRandom(seed);
        sides.forEach(SoakSide::fillShared);
        // What the first use of everything loads and keeps counts as held before.
        for (int i = 0; i < DUCTS; i++) {
            pipes.set(i, newDuct(i, random));
        }
        finish();
        var before = Holdings.now();
        IO.println("soak " + seed + " begins with " + before);
        for (int i = 0; i < DUCTS; i++) {
            pipes.set(i, newDuct(i, random));
        }
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            var own = random.split();
            threads.add(Thread.ofPlatform().name("soak " + i).start(() -> work(own)));
        }
        watch(threads);
        over = true;
        for (Thread thread : threads) {
            thread.join(STUCK);
            if (thread.isAlive()) {
                fail(stuck(thread));
            }
        }
        if (!isBroken()) {
            finish();
            var after = Holdings.now();
            IO.println("soak " + seed + " ends with " + after);
            after.requireNoMoreThan(before);
            assertThat(ledgers).as("ledgers").hasSize(sides.size());
            assertThat(streams).as("streams of messages").isEmpty();
        }
        IO.println("soak " + seed + ": " + tally);
        if (!findings.isEmpty()) {
            var all = new AssertionError("seed " + seed + ", after " + tally, findings.getFirst());
            findings.stream().skip(1).forEach(all::addSuppressed);
            throw all;
        }
    }

    private void finish() {
        for (int i = 0; i < DUCTS; i++) {
            Pipe pipe = Objects.requireNonNull(pipes.get(i));
            pipe.flush(1);
            pipe.close();
        }
        drain();
        for (SoakSide side : sides) {
            int waiting = side.shared.readRing().orElseThrow().fill();
            long missing = side.sharedLedger.inFlight() - waiting;
            if (missing < 0 || missing > tally.of(Tally.Item.CLOSED_IN_USE)) {
                throw new AssertionError(missing + " shared receives are neither completed nor waiting");
            }
        }
    }

    private void watch(List<Thread> threads) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        long completions = -1;
        long moved = System.nanoTime();
        long reported = moved;
        while (System.nanoTime() < end && !over && !isBroken()) {
            Thread.sleep(200);
            long now = System.nanoTime();
            if (tally.completions() != completions) {
                completions = tally.completions();
                moved = now;
            } else if (now - moved > STUCK.toNanos()) {
                threads.forEach(thread -> fail(stuck(thread)));
                return;
            }
            if (now - reported > REPORT.toNanos()) {
                IO.println("soak " + seed + ": " + tally);
                reported = now;
            }
        }
    }

    private AssertionError stuck(Thread thread) {
        var all = new StringBuilder(thread.getName() + " is stuck; ");
        for (int i = 0; i < DUCTS; i++) {
            all.append(pipes.get(i)).append("; ");
        }
        var error = new AssertionError(all.toString());
        error.setStackTrace(thread.getStackTrace());
        return error;
    }

    private void work(RandomGenerator random) {
        try {
            var calls = new SoakCalls(this, random);
            while (!over && !isBroken()) {
                try {
                    calls.next();
                } catch (AssertionError e) {
                    fail(e); // what else it finds is of interest, too
                }
            }
        } catch (Throwable e) {
            fail(e);
            over = true;
        }
    }

    private boolean isBroken() {
        return findings.size() >= MAX_FINDINGS;
    }

    private void fail(Throwable e) {
        IO.println("soak " + seed + ": " + e);
        findings.add(e);
    }

    int places() {
        return DUCTS;
    }

    Pipe pipe(int place) {
        return Objects.requireNonNull(pipes.get(place));
    }

    /// Puts a new pipe where another was.
    void renew(int place, RandomGenerator random) {
        pipes.set(place, newDuct(place, random));
    }

    private Pipe newDuct(int place, RandomGenerator random) {
        var kinds = Pipe.Kind.values();
        SoakSide left = sides.get(place / kinds.length == 0 ? 0 : random.nextInt(2));
        SoakSide right = sides.get(place / kinds.length == 0 ? 1 : random.nextInt(2));
        return new Pipe(kinds[place % kinds.length], left, right, this, random);
    }

    WorkLedger ledger(boolean ordered, WorkLedger.Judge judge) {
        var ledger = new WorkLedger(numbers.incrementAndGet(), ordered, judge, tally);
        ledgers.put(ledger.number(), ledger);
        return ledger;
    }

    /// Removes a ledger.
    ///
    /// @return the number of dropped requests
    int retire(WorkLedger ledger) {
        ledgers.remove(ledger.number());
        return ledger.forget();
    }

    MessageStream newStream(Pipe.Kind kind) {
        var stream = new MessageStream(numbers.incrementAndGet(), kind);
        streams.put(stream.id(), stream);
        return stream;
    }

    void retire(@Nullable MessageStream stream) {
        if (stream != null) {
            streams.remove(stream.id());
        }
    }

    /// Polls a queue once.
    int poll(CompletionQueue queue) {
        return queue.poll(POLL, this::completed);
    }

    void completed(WorkCompletion completion) {
        WorkLedger ledger = ledgers.get((int) (completion.workRequestId() >>> 32));
        if (ledger == null) {
            throw new AssertionError("completion of what nobody posted, or of a queue pair that is long closed: "
                    + completion);
        }
        ledger.complete(completion);
    }

    /// A request has failed: its queue pair must be about to end.
    void failed(WorkCompletion completion, @Nullable Pipe pipe) {
        if (pipe != null && !pipe.isEnding()) {
            throw new AssertionError("a request of " + pipe + " failed: " + completion);
        }
        tally.count(Tally.Item.FLUSHED);
    }

    /// A message has arrived in a shared receive.
    void received(WorkCompletion completion, MemorySegment memory, long offset) {
        if (!completion.isSuccess()) {
            failed(completion, null);
            return;
        }
        received(completion, memory, offset, 0);
    }

    /// A message has arrived.
    void received(WorkCompletion completion, MemorySegment memory, long offset, int header) {
        MessageStream stream = streams.get(MessageStream.streamOf(memory, offset + header));
        if (stream == null) {
            throw new AssertionError("a message of no stream arrived: " + completion);
        }
        if (completion.hasImmediateData() && completion.immediateData() != stream.id()) {
            throw new AssertionError("immediate data of another stream than " + stream.id() + ": " + completion);
        }
        stream.arrived(memory, offset + header, completion.byteLength() - header);
        tally.count(Tally.Item.RECEIVED);
    }

    /// Polls all queues until each was empty once.
    void drain() {
        for (SoakSide side : sides) {
            for (CompletionQueue queue : side.queues) {
                while (poll(queue) > 0) {
                    // all of it
                }
            }
        }
    }

    /// Polls until something is so.
    void await(BooleanSupplier condition, Pipe pipe) {
        long end = System.nanoTime() + STUCK.toNanos();
        while (!condition.getAsBoolean()) {
            if (isBroken()) {
                throw new AssertionError("another thread has failed");
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("not completed, that is lost: " + pipe);
            }
            int count = 0;
            for (SoakSide side : sides) {
                for (CompletionQueue queue : side.queues) {
                    count += poll(queue);
                }
            }
            if (count == 0) {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    @Override
    public void close() {
        sides.forEach(SoakSide::close);
    }
}

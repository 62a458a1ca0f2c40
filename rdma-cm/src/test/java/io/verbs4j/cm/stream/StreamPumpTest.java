// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.cm.MessagePair;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Streams on a connection of simulated devices, with immediate data and with messages in its place, as over iWARP. A
/// message that finds no receive ends the connection.
@ParameterizedClass
@EnumSource
@Timeout(60)
class StreamPumpTest {
    private static final StreamOptions OPTIONS =
            StreamOptions.defaults().withBuffers(4096, 5000).withMessages(8).withMappings(2);
    private static final int RECEIVES = StreamSetup.workRequests(OPTIONS);

    private static final long LONG = Long.MAX_VALUE / 2;

    private final MessagePair pair = new MessagePair();
    private final Kind kind;
    private final End left;
    private final End right;

    private enum Kind {
        IMMEDIATE_DATA, MESSAGES, GROUPED
    }

    StreamPumpTest(Kind kind) {
        this.kind = kind;
        StreamMemory leftMemory = memory(pair.here);
        StreamMemory rightMemory = memory(pair.there);
        left = new End(pair.here, pair.hereQueue, leftMemory, rightMemory);
        right = new End(pair.there, pair.thereQueue, rightMemory, leftMemory);
    }

    /// Allocates the memory of an end, and posts its receives.
    private StreamMemory memory(QueuePair queuePair) {
        StreamMemory memory = StreamMemory.allocate(
                queuePair.protectionDomain(), OPTIONS, kind == Kind.MESSAGES ? RECEIVES : 0);
        if (kind == Kind.MESSAGES) {
            IwarpOutbox.postReceives(queuePair, memory, RECEIVES);
        } else {
            QueuePairOutbox.postReceives(queuePair, new ScatterGatherList(), RECEIVES);
        }
        assertThat(queuePair.readReceiveRing().orElseThrow().fill()).isEqualTo(RECEIVES);
        return memory;
    }

    private StreamOutbox outbox(QueuePair queuePair, StreamMemory memory, Greeting peer) {
        return kind == Kind.MESSAGES
                ? new IwarpOutbox(queuePair, memory, RECEIVES)
                : new QueuePairOutbox(
                        queuePair, memory.sendKey(),
                        new RemoteMemory(peer.tableAddress(), StreamMemory.ENTRY, peer.tableKey()));
    }

    private final class End {
        private final StreamProtocol protocol;
        private final StreamReader reader;
        private final StreamWriter writer;
        private final StreamPump pump;

        End(QueuePair queuePair, CompletionQueue queue, StreamMemory memory, StreamMemory peers) {
            Greeting peer = peers.greeting(OPTIONS.messages());
            protocol = new StreamProtocol(outbox(queuePair, memory, peer), memory, peer, OPTIONS);
            reader = new StreamReader(protocol, memory);
            writer = new StreamWriter(
                    protocol,
                    memory,
                    new OwnMappings(
                            bytes -> queuePair.protectionDomain()
                                    .allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE),
                            peer.mappings()));
            pump = new StreamPump(
                    protocol, new Completions(queue, kind == Kind.MESSAGES ? memory : null), kind == Kind.GROUPED);
            pump.poll();
            locked(protocol::advance);
        }

        void locked(Runnable action) {
            MemoryWire.locked(protocol, action);
        }

        /// Waits as streams do. A stream of a group waits for the thread of its group.
        void await(int wanted) throws InterruptedException {
            while ((pump.readiness() & wanted) == 0) {
                pump.await(wanted, kind == Kind.GROUPED ? 0 : LONG);
            }
        }
    }

    @AfterEach
    void end() throws Exception {
        for (End end : List.of(left, right)) { // in another thread, which would wait for a lock that a call has left
            CompletableFuture.runAsync(() -> end.reader.finish(() -> end.locked(end.writer::finish)))
                    .get(20, TimeUnit.SECONDS);
        }
        pair.close();
    }

    private static MemorySegment random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private void transfer(End from, End to, int length) throws InterruptedException {
        MemorySegment sent = random(length);
        MemorySegment received = MemorySegment.ofArray(new byte[length]);
        long written = 0;
        int read = 0;
        while (read < length) {
            written += from.writer.write(sent, written, length - written, written);
            from.pump.poll();
            to.pump.await(Readiness.READ, kind == Kind.GROUPED ? 0 : 1_000_000);
            read += to.reader.read(received, read, length - read);
        }
        assertThat(received.mismatch(sent)).isEqualTo(-1);
    }

    @Test
    void bytesArriveInBothDirections() throws InterruptedException {
        for (int length : new int[]{1, 2048, 20_000}) {
            transfer(left, right, length);
            transfer(right, left, length);
        }
        left.locked(left.protocol::endOutput);
        right.await(Readiness.READ);
        assertThat(right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1)).isEqualTo(-1);
        transfer(right, left, 5000);
    }

    @Test
    void mappedMemoryIsWrittenBeforeTheBytesThatFollow() throws InterruptedException {
        var mapped = new MemoryRegion[2];
        for (int i = 0; i < mapped.length; i++) {
            left.await(Readiness.MAP);
            mapped[i] = Objects.requireNonNull(left.writer.map(100 * i, 50));
            transfer(left, right, 1);
        }
        for (int i = 0; i < mapped.length; i++) {
            assertThat(right.writer.writeMapped(100 * i + 10, random(20 + i), 0, 20 + i)).isEqualTo(20 + i);
            transfer(right, left, 1);
            assertThat(mapped[i].segment().asSlice(10, 20 + i).mismatch(random(20 + i))).isEqualTo(-1);
        }
        assertThatThrownBy(() -> right.writer.writeMapped(150, random(1), 0, 1)).isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThatThrownBy(() -> left.writer.map(0, 1)).isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
        mapped[0].close();
        left.writer.finish();
        assertThat(mapped).allMatch(MemoryRegion::isClosed);
    }

    @Test
    void aMessageOfAnotherLengthIsRefused() throws InterruptedException {
        if (kind != Kind.MESSAGES) {
            return;
        }
        try (var batch = pair.here.beginSend()) {
            batch.send().inline(MemorySegment.ofArray(new short[]{1}).asReadOnly()).post();
            batch.submit();
        }
        right.await(Readiness.READ);
        assertThatThrownBy(() -> right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
    }

    private static Duration time(Callable<?> call) throws Exception {
        long start = System.nanoTime();
        call.call();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void aWaitEndsAfterItsTime() throws Exception {
        right.await(Readiness.MAP); // its first messages have completed
        Duration waited = time(() -> assertThat(right.pump.await(Readiness.READ, 30_000_000)).isFalse());
        assertThat(waited).isBetween(Duration.ofMillis(30), Duration.ofSeconds(5));
        left.writer.write(random(1), 0, 1, 0);
        while (pair.here.readSendRing().orElseThrow().fill() > 0) {
            Thread.onSpinWait();
        }
        assertThat(right.pump.await(Readiness.READ, 0)).as("what has arrived").isTrue();
        assertThat(right.pump.await(Readiness.READ, 0)).as("again").isTrue();
    }

    @Test
    void threadsThatWaitAreWoken() throws Exception {
        right.await(Readiness.MAP);
        var waits = new ArrayList<FutureTask<Boolean>>();
        for (int i = 0; i < 2; i++) {
            waits.add(new FutureTask<>(() -> right.pump.await(Readiness.READ, LONG)));
            Thread.ofPlatform().daemon().start(waits.get(i));
        }
        Thread.sleep(20);
        left.writer.write(random(1), 0, 1, 0);
        while (kind == Kind.GROUPED && (right.pump.readiness() & Readiness.READ) == 0) {
            right.pump.onEvent();
        }
        for (FutureTask<Boolean> wait : waits) {
            assertThat(wait.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void threadsThatWaitAreWokenByTheEnd() throws Exception {
        assertEndedWith(null, Errno.ECONNRESET);
    }

    @Test
    void threadsThatWaitFailIfNoEventsArriveAnyMore() throws Exception {
        assertEndedWith(new VerbsException("await event", Errno.EINVAL, ""), Errno.EINVAL);
    }

    private void assertEndedWith(@Nullable VerbsException cause, int errno) throws Exception {
        if (kind != Kind.GROUPED) {
            return;
        }
        right.await(Readiness.MAP);
        var wait = new FutureTask<>(() -> right.pump.await(Readiness.READ, LONG));
        Thread.ofPlatform().daemon().start(wait);
        Thread.sleep(20);
        right.pump.onDisconnected(cause);
        assertThat(wait.get(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    /// The listener may call the stream.
    @Test
    void theListenerIsInformedOfNewReadiness() throws Exception {
        right.await(Readiness.MAP);
        var informed = new ArrayList<Integer>();
        right.pump.listener(() -> {
            right.pump.poll();
            informed.add(right.pump.readiness() & Readiness.READ);
        });
        right.pump.poll();
        assertThat(informed).isEmpty();
        for (int i = 0; i < 2; i++) {
            left.writer.write(random(1), 0, 1, 0);
            while (right.reader.available() <= i) {
                right.pump.poll();
            }
        }
        assertThat(informed).as("readable before the second byte").containsExactly(Readiness.READ);
        right.reader.read(MemorySegment.ofArray(new byte[2]), 0, 2);
        right.pump.onDisconnected(null);
        assertThat(informed).containsExactly(Readiness.READ, Readiness.READ);
    }

    /// The thread that handles the events of all streams may be waiting for this report.
    @Test
    void readinessIsReportedEvenIfNoReceiveCanBePosted() throws InterruptedException {
        right.await(Readiness.MAP);
        var informed = new CopyOnWriteArrayList<Integer>();
        right.pump.listener(() -> informed.add(right.pump.readiness() & Readiness.READ));
        left.writer.write(random(1), 0, 1, 0);
        while (pair.here.readSendRing().orElseThrow().fill() > 0) {
            Thread.onSpinWait();
        }
        try (var _ = pair.there.beginReceive()) {
            right.pump.poll();
        }
        assertThat(informed).contains(Readiness.READ);
        var one = MemorySegment.ofArray(new byte[1]);
        assertThat(right.reader.read(one, 0, 1)).isOne();
        assertThatThrownBy(() -> right.reader.read(one, 0, 1)).hasMessageContaining("could not be posted")
                .hasRootCauseInstanceOf(IllegalStateException.class);
    }

    /// The thread that writes gets the failure. Another thread waits for bytes, and a selector for readiness.
    @Test
    void aWriteThatCannotBePostedIsReportedToAllThreads() throws Exception {
        right.await(Readiness.MAP);
        var informed = new CountDownLatch(1);
        right.pump.listener(informed::countDown);
        var wait = new FutureTask<>(() -> right.pump.await(Readiness.READ, LONG));
        Thread waiter = Thread.ofPlatform().daemon().start(wait);
        Eventually.until(() -> waiter.getState() != Thread.State.RUNNABLE, waiter::toString);
        try (var _ = pair.there.beginSend()) {
            assertThatThrownBy(() -> right.writer.write(random(1), 0, 1, 0)).isInstanceOf(VerbsException.class);
        }
        assertThat(informed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(wait.get(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void anEventArmsTheQueueAgain() throws Exception {
        right.await(Readiness.MAP);
        var channel = Objects.requireNonNull(pair.thereQueue.channel());
        for (int i = 0; i < 3; i++) {
            right.pump.onEvent();
            left.writer.write(random(1), 0, 1, 0);
            assertThat(channel.take(Duration.ofSeconds(10))).as("event %s", i).isSameAs(pair.thereQueue);
        }
        right.pump.onEvent();
        assertThat(right.reader.available()).isEqualTo(3);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.ImpairedLink.Side;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the guarantees of the transports on an impaired wire. The system property `verbs4j.test.hurt.messages` sets
/// the number of messages in the flood's long form, such as 100000.
@DeviceTest
@Covers({"ibv_post_send", "ibv_post_recv", "ibv_poll_cq"})
@Needs.EachKernel
class ImpairedLinkIT {
    private static final int FLOOD = Integer.getInteger("verbs4j.test.hurt.messages", 2000);
    private static final String LOSS = "loss 10%";
    private static final String CORRUPTION = "corrupt 5%";
    private static final String DUPLICATION = "duplicate 25%";
    /// Half of the packets overtake those before them.
    private static final String REORDERING = "delay 3ms reorder 50%";
    private static final String EVERYTHING =
            "delay 1ms 500us loss 2% duplicate 2% corrupt 2% reorder 30%";

    /// Messages over an unreliable transport, and how many of them are sent at a time.
    private static final int UNRELIABLE = 160;
    private static final int BURST = 20;
    private static final int RECEIVES = 2 * UNRELIABLE;
    private static final int SLOT_BYTES = 4096;
    private static final int ROUTE_HEADER_BYTES = 40;

    /// The sender repeats an unacknowledged packet after 17 ms, and rxe does so without limit. With 4 ms, a busy
    /// machine sometimes acknowledges too late, and Linux 6.1 then ended such a connection with
    /// `REMOTE_INVALID_REQUEST`.
    private static QueuePairBuilder tenacious(QueuePairBuilder builder) {
        return builder.timeout(12).retryCount(7).rnrRetry(7);
    }

    /// Returns what the devices count when packets come twice, too early or not at all.
    private static long trouble() {
        long sum = 0;
        for (String device : List.of(Rxe.LEFT, Rxe.RIGHT)) {
            for (String counter : List.of("duplicate_request", "out_of_seq_request", "rcvd_seq_err",
                    "completer_retry_err")) {
                sum += Rxe.counter(device, counter);
            }
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSS, CORRUPTION, DUPLICATION, REORDERING, EVERYTHING})
    @Needs.OneKernel
    void reliableConnectionsDeliverEveryMessageOnceAndInOrder(String netem) {
        long before = trouble();
        try (var _ = ImpairedLink.bothWays(netem)) {
            Flood.run(250, 2, ImpairedLinkIT::tenacious);
        }
        assertThat(trouble()).as("the wire did no harm").isGreaterThan(before);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFloodOfMessagesComesThroughALossOfOneInAHundred() {
        try (var wire = ImpairedLink.bothWays("loss 1%")) {
            Flood.run(FLOOD, 4, ImpairedLinkIT::tenacious);
            // One in a hundred of 1.6 packets a message; fewer than a quarter of that would be no luck.
            assertThat(wire.lost(Side.LEFT)).isGreaterThan(FLOOD / 250);
        }
    }

    /// Each addition must be done once, and its answer repeated if that is what was lost.
    @ParameterizedTest
    @ValueSource(strings = {LOSS, DUPLICATION, REORDERING})
    @Needs.OneKernel
    void atomicOperationsAreDoneOnce(String netem) {
        int additions = 80;
        long before = trouble();
        try (
                var pair = ConnectedPair.onTheWire().both(ImpairedLinkIT::tenacious).connect();
                var _ = ImpairedLink.bothWays(netem)) {
            End left = pair.left();
            RemoteMemory counter = pair.right().memory().remote();
            for (int done = 0; done < additions; done += 10) {
                int first = done;
                try (SendBatch batch = left.queuePair().beginSend()) {
                    for (int i = first; i < first + 10; i++) {
                        assertThat(batch.signaled()
                                .fetchAndAdd(1)
                                .local(left.memory(), 8L * i, Long.BYTES)
                                .remote(counter)
                                .post()).isTrue();
                    }
                    batch.submit();
                }
                left.completions().nextSuccesses(10);
            }
            assertThat(left.bytes(0, 8L * additions).toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(LongStream.range(0, additions).toArray());
            assertThat(pair.right().memory().segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(additions);
            assertThat(trouble()).as("the wire did no harm").isGreaterThan(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSS, CORRUPTION, DUPLICATION})
    @Needs.OneKernel
    void whatIsWrittenAndReadBackIsTheSame(String netem) {
        int length = 5000;
        long before = trouble();
        try (
                var pair = ConnectedPair.onTheWire().both(ImpairedLinkIT::tenacious).connect();
                var _ = ImpairedLink.bothWays(netem)) {
            End left = pair.left();
            RemoteMemory remote = pair.right().memory().remote();
            for (int round = 0; round < 30; round++) {
                writeAndReadBack(left, remote, round, length);
                assertThat(ChecksummedMessage.read(left.bytes(8192, length), length)).isEqualTo(round);
            }
            assertThat(trouble()).as("the wire did no harm").isGreaterThan(before);
        }
    }

    private static void writeAndReadBack(End end, RemoteMemory remote, int number, int length) {
        ChecksummedMessage.write(end.bytes(0, length), number, length);
        end.bytes(8192, length).fill((byte) 0);
        end.post(
                batch -> batch.write().local(end.memory(), 0, length).remote(remote).post(),
                batch -> batch.signaled().read().local(end.memory(), 8192, length).remote(remote).post());
        end.completions().nextSuccess();
    }

    /// See StrayAcknowledgementIT for how that comes about.
    @Test
    void aReadOnAWireThatReordersIsWholeOrOnNewerKernelsEndsTheConnection() {
        int length = 5000;
        try (
                var pair = ConnectedPair.onTheWire().both(ImpairedLinkIT::tenacious).connect();
                var _ = ImpairedLink.bothWays(REORDERING)) {
            End left = pair.left();
            boolean whole = true;
            for (int round = 0; round < 30 && whole; round++) {
                writeAndReadBack(left, pair.right().memory().remote(), round, length);
                whole = left.bytes(0, length).mismatch(left.bytes(8192, length)) < 0;
            }
            if (!whole) {
                assertThat(Kernel.completesReadsAtStrayAcknowledgements()).as("a read was not whole").isTrue();
                Eventually.until(() -> left.queuePair().query().state().equals(QueuePairState.ERR), left::toString);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSS, CORRUPTION, DUPLICATION, REORDERING})
    @Needs.OneKernel
    void unreliableConnectionsLoseWholeMessages(String netem) {
        exchangeUnreliably(QueuePairType.UC, netem, 3000);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSS, CORRUPTION, DUPLICATION, REORDERING})
    @Needs.OneKernel
    void datagramsGetLostAsAWhole(String netem) {
        exchangeUnreliably(QueuePairType.UD, netem, 1000);
    }

    private static void exchangeUnreliably(QueuePairType transport, String netem, int longest) {
        try (
                var pair = ConnectedPair.onTheWire()
                        .transport(transport)
                        .memory((long) SLOT_BYTES * RECEIVES)
                        .both(builder -> builder.maxSends(BURST).maxReceives(RECEIVES))
                        .connect();
                var wire = new ImpairedLink().hurt(Side.LEFT, netem)) {
            try (ReceiveBatch batch = pair.right().queuePair().beginReceive()) {
                for (int i = 0; i < RECEIVES; i++) {
                    assertThat(batch.workRequestId(i)
                            .receive(pair.right().memory(), (long) i * SLOT_BYTES, SLOT_BYTES)).isTrue();
                }
                batch.submit();
            }
            for (int first = 0; first < UNRELIABLE; first += BURST) {
                burst(pair.left(), transport, first, BURST, longest);
            }
            long lost = wire.lost(Side.LEFT);
            wire.heal(Side.LEFT);
            List<Long> arrived = arrived(pair, transport, longest);

            var different = new HashSet<>(arrived);
            if (netem.equals(DUPLICATION)) {
                // A packet that comes twice within a message of a connection ends the message.
                int least = transport == QueuePairType.UD ? UNRELIABLE : UNRELIABLE / 4;
                assertThat(different).hasSizeBetween(least, UNRELIABLE);
                assertThat(arrived).as("messages that came twice").hasSizeGreaterThan(different.size());
            } else {
                assertThat(arrived).doesNotHaveDuplicates().hasSizeBetween(UNRELIABLE / 8, UNRELIABLE);
            }
            if (netem.equals(LOSS)) {
                assertThat(arrived).hasSizeLessThan(UNRELIABLE);
                assertThat(lost).isPositive();
            }
        }
    }

    private static void burst(End end, QueuePairType transport, int first, int count, int longest) {
        try (SendBatch batch = end.queuePair().beginSend()) {
            for (int i = first; i < first + count; i++) {
                long offset = (long) (i % BURST) * SLOT_BYTES;
                int length = ChecksummedMessage.HEAD_BYTES + i * 97 % (longest - ChecksummedMessage.HEAD_BYTES);
                ChecksummedMessage.write(end.bytes(offset, SLOT_BYTES), i, length);
                SendBatch next = transport == QueuePairType.UD ? end.toPeer(batch) : batch;
                assertThat(next.signaled().send().local(end.memory(), offset, length).post()).isTrue();
            }
            batch.submit();
        }
        end.completions().nextSuccesses(count);
    }

    /// Returns the numbers of the received messages, each of which must be complete. The wire is restored: when one
    /// more message has arrived, all possible messages have. This may take several messages, because a connection that
    /// waits for the end of a message drops the next one.
    private static List<Long> arrived(ConnectedPair pair, QueuePairType transport, int longest) {
        int header = transport == QueuePairType.UD ? ROUTE_HEADER_BYTES : 0;
        var numbers = new ArrayList<Long>();
        for (int attempt = 0; attempt < 20 && !numbers.contains((long) UNRELIABLE); attempt++) {
            burst(pair.left(), transport, UNRELIABLE, 1, longest);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            while (!numbers.contains((long) UNRELIABLE) && System.nanoTime() < end) {
                var records = new ArrayList<CompletionRecord>();
                pair.right().queue().poll(RECEIVES, completion -> records.add(completion.toRecord()));
                for (CompletionRecord record : records) {
                    assertThat(record.isSuccess()).as(record::toString).isTrue();
                    long offset = record.workRequestId() * SLOT_BYTES + header;
                    numbers.add(ChecksummedMessage.read(
                            pair.right().bytes(offset, SLOT_BYTES - header), record.byteLength() - header));
                }
                LockSupport.parkNanos(100_000);
            }
        }
        assertThat(numbers).contains((long) UNRELIABLE);
        numbers.removeIf(number -> number == UNRELIABLE);
        return numbers;
    }

    @Test
    void aWireThatLosesEverythingIsReported() {
        try (
                var pair = ConnectedPair.onTheWire().both(builder -> builder.timeout(10).retryCount(2)).connect();
                var _ = new ImpairedLink().hurt(Side.LEFT, "loss 100%")) {
            pair.left().send(7, 0, 8);
            CompletionRecord failed = pair.left().completions().next();

            assertThat(failed.status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
            assertThat(failed.workRequestId()).isEqualTo(7);
        }
    }

    @Test
    void aLinkThatComesBackCostsNothing() {
        try (
                var pair = ConnectedPair.onTheWire().both(ImpairedLinkIT::tenacious).connect();
                var wire = new ImpairedLink()) {
            pair.right().receiveNothing(3);
            pair.left().send(1, 0, 0);
            pair.left().completions().nextSuccess();
            wire.setDown(Side.RIGHT);
            pair.left().send(2, 0, 0);
            pair.left().send(3, 0, 0);
            pair.left().completions().assertNone();
            wire.setUp(Side.RIGHT);

            assertThat(pair.left().completions().nextSuccesses(2))
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactly(2L, 3L);
            pair.right().completions().nextSuccesses(3);
        }
    }

    @Test
    void aLinkThatStaysDownIsReported() {
        try (
                var pair = ConnectedPair.onTheWire().both(builder -> builder.timeout(10).retryCount(2)).connect();
                var wire = new ImpairedLink()) {
            wire.setDown(Side.RIGHT);
            pair.left().send(1, 0, 8);

            assertThat(pair.left().completions().next().status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        }
    }

    /// Not a matter of retries: what cannot even be sent fails at once.
    @Test
    void theOwnLinkThatIsDownIsReported() {
        try (
                var pair = ConnectedPair.onTheWire().both(ImpairedLinkIT::tenacious).connect();
                var wire = new ImpairedLink()) {
            wire.setDown(Side.LEFT);
            pair.left().send(1, 0, 8);

            assertThat(pair.left().completions().next().status())
                    .isEqualTo(
                            Kernel.hidesLocalErrorsBehindFlushes()
                                    ? CompletionStatus.WORK_REQUEST_FLUSHED
                                    : CompletionStatus.LOCAL_QP_OPERATION_ERROR);
        }
    }
}

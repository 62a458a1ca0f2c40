// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MessagesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    /// Shorter than [#LONG]: after LONG, a thread checks again even if nothing has woken it.
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int COUNT = 4;
    private static final int BYTES = 64;
    private static final int MESSAGES = 500;

    private MessagePair pair;
    private Messages here;
    private Messages there;

    @BeforeEach
    void open() {
        pair = new MessagePair();
        here = Messages.over(pair.here, pair.hereQueue, COUNT, BYTES);
        there = Messages.over(pair.there, pair.thereQueue, COUNT, BYTES);
    }

    @AfterEach
    void close() {
        for (Messages end : List.of(here, there)) {
            try {
                end.close();
            } catch (VerbsException e) {
                assertThat(e.errno()).isEqualTo(Errno.ECONNRESET); // of tests that end a connection under its messages
            }
        }
        pair.close();
    }

    /// Otherwise the device could still use the memory of the messages.
    @Test
    void withoutRoomForTheReceivesTheQueuePairIsClosed() {
        int capacity = pair.here.capabilities().maxReceiveWorkRequests();
        assertThatThrownBy(() -> Messages.over(pair.here, pair.hereQueue, capacity, BYTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the receive queue of " + pair.here + " is full: its messages need ");
        assertThat(pair.here.isClosed()).isTrue();
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static void send(Messages end, int number) throws InterruptedException {
        end.send(bytes(number), LONG);
    }

    private static int receive(Messages end) throws InterruptedException {
        return ByteBuffer.wrap(end.receive(LONG).orElseThrow()).getInt();
    }

    private static Void sendAll(Messages end) throws InterruptedException {
        for (int i = 0; i < MESSAGES; i++) {
            send(end, i);
        }
        return null;
    }

    private static Void receiveAll(Messages end) throws InterruptedException {
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(receive(end)).isEqualTo(i);
        }
        return null;
    }

    private static void end(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
    }

    private static void assertEnded(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET));
    }

    private static void awaitWaiting(InThread.Started<?> work) throws InterruptedException {
        Eventually.until(LONG, work::isWaiting, () -> "does not wait");
        Thread.sleep(20); // until it has passed the locks before its wait
    }

    @Test
    void carryMessagesInBothDirectionsAtATime() throws Exception {
        List<InThread.Started<Void>> ends = new ArrayList<>();
        for (Messages end : List.of(here, there)) {
            ends.add(InThread.PLATFORM.start(() -> sendAll(end)));
            ends.add(InThread.PLATFORM.start(() -> receiveAll(end)));
        }
        for (InThread.Started<Void> end : ends) {
            end.result(Duration.ofSeconds(50));
        }
    }

    @Test
    void aSlowReaderMakesTheSenderWaitAndLosesNothing() throws Exception {
        var sender = InThread.PLATFORM.start(() -> {
            for (int i = 0; i < 8 * COUNT; i++) {
                send(here, i);
            }
            here.close();
            return null;
        });
        Thread.sleep(50);
        assertThat(sender.isDone()).isFalse();
        for (int i = 0; i < 8 * COUNT; i++) {
            assertThat(receive(there)).isEqualTo(i);
        }
        sender.result(Duration.ofSeconds(30));
    }

    @Test
    void areSentWhileAnotherThreadWaitsForOne() throws Exception {
        var reader = InThread.PLATFORM.start(() -> receive(here));
        var other = InThread.PLATFORM.start(() -> receive(there));
        awaitWaiting(reader);
        awaitWaiting(other);
        InThread.PLATFORM.start(() -> {
            send(here, 1);
            send(there, 2);
            return null;
        }).result(SOON);
        assertThat(reader.result(SOON)).isEqualTo(2);
        assertThat(other.result(SOON)).isEqualTo(1);
    }

    @Test
    void aTimedSendReturnsInTimeWhileAnotherThreadWaitsForAMessage() throws Exception {
        var reader = InThread.PLATFORM.start(() -> receive(here));
        awaitWaiting(reader);
        for (int i = 0; i < COUNT; i++) {
            send(here, i);
        }
        var failed = InThread.PLATFORM.start(() -> {
            long start = System.nanoTime();
            assertThatThrownBy(() -> here.send(bytes(0), Duration.ofMillis(200)))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                    .hasMessageContaining("has not taken any");
            return Duration.ofNanos(System.nanoTime() - start);
        });
        assertThat(failed.result(SOON)).isBetween(Duration.ofMillis(200), Duration.ofSeconds(5));
        assertThat(reader.isDone()).isFalse();
        send(there, 7);
        assertThat(reader.result(SOON)).isEqualTo(7);
    }

    @Test
    void aCreditWakesASenderWhileAnotherThreadWaitsForAMessage() throws Exception {
        var reader = InThread.PLATFORM.start(() -> receive(here));
        awaitWaiting(reader);
        for (int i = 0; i < COUNT; i++) {
            send(here, i);
        }
        var sender = InThread.PLATFORM.start(() -> {
            send(here, COUNT);
            return null;
        });
        awaitWaiting(sender);
        for (int i = 0; i <= COUNT / 2; i++) {
            receive(there);
        }
        sender.result(SOON);
        assertThat(reader.isDone()).isFalse();
        send(there, 7);
        assertThat(reader.result(SOON)).isEqualTo(7);
    }

    @Test
    void aThreadThatIsInterruptedLeavesTheWaitingToAnother() throws Exception {
        var first = InThread.PLATFORM.start(() -> receive(here));
        awaitWaiting(first);
        var second = InThread.PLATFORM.start(() -> receive(here));
        awaitWaiting(second);
        first.interrupt();
        assertThatThrownBy(() -> first.result(SOON)).isInstanceOf(InterruptedException.class);
        send(there, 7);
        assertThat(second.result(SOON)).isEqualTo(7);
    }

    @Test
    void creditsComeBackWithAnswers() throws Exception {
        for (int i = 0; i < 3 * COUNT; i++) {
            send(here, i);
            assertThat(receive(there)).isEqualTo(i);
            send(there, -i);
            assertThat(receive(here)).isEqualTo(-i);
        }
        assertThat(here.credits()).isGreaterThanOrEqualTo(COUNT - 1);
    }

    @Test
    void aMessageThatIsTooLongCostsNothing() throws Exception {
        assertThatThrownBy(() -> here.send(new byte[BYTES + 1], LONG)).isInstanceOf(IllegalArgumentException.class);
        try (OutgoingMessage message = Objects.requireNonNull(here.compose(LONG))) {
            assertThatThrownBy(() -> message.send(BYTES + 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(here.credits()).isEqualTo(COUNT);
        send(here, 1);
        assertThat(receive(there)).isEqualTo(1);
    }

    @Test
    void areWrittenAndReadInPlace() throws Exception {
        OutgoingMessage sent = Objects.requireNonNull(here.compose(LONG));
        assertThat(sent.segment().byteSize()).isEqualTo(BYTES);
        sent.segment().set(ValueLayout.JAVA_INT, 0, 42);
        sent.send(Integer.BYTES);
        assertThatThrownBy(() -> sent.send(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(sent::segment).isInstanceOf(IllegalStateException.class);
        IncomingMessage received = Objects.requireNonNull(there.take(LONG));
        assertThat(received.length()).isEqualTo(Integer.BYTES);
        assertThat(received.segment().byteSize()).isEqualTo(Integer.BYTES);
        assertThat(received.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(42);
        received.close();
        received.close();
        assertThatThrownBy(received::segment).isInstanceOf(IllegalStateException.class);
        for (int i = 1; i < COUNT; i++) { // a receive that was freed twice would be announced, as a surplus credit
            send(here, i);
        }
        assertThat(here.compose(SHORT)).isNull();
    }

    @Test
    void aMessageThatIsClosedUnsentGivesItsCreditBack() throws Exception {
        for (int i = 0; i < 3 * COUNT; i++) {
            Objects.requireNonNull(here.compose(LONG)).close();
        }
        assertThat(here.credits()).isEqualTo(COUNT);
    }

    /// No completion wakes the sender, because the peer does nothing.
    @Test
    void aMessageThatIsClosedUnsentMakesRoomForASenderThatWaits() throws Exception {
        List<OutgoingMessage> composed = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            composed.add(Objects.requireNonNull(here.compose(LONG)));
        }
        var sender = InThread.PLATFORM.start(() -> {
            send(here, 7);
            return null;
        });
        awaitWaiting(sender);
        composed.forEach(OutgoingMessage::close);
        sender.result(SOON);
        assertThat(receive(there)).isEqualTo(7);
    }

    @Test
    void anEmptyMessageIsOne() throws Exception {
        here.send(new byte[0], LONG);
        assertThat(there.receive(LONG)).hasValue(new byte[0]);
        assertThat(there.receive(SHORT)).isEmpty();
    }

    @Test
    void noneIsSentWhenTheConnectionHasEnded() {
        end(pair.here);
        assertEnded(() -> send(here, 1));
        assertEnded(() -> here.compose(LONG));
        assertEnded(() -> receive(here));
        here.close(); // throws nothing, because no message was lost
    }

    @Test
    void thoseThatCameBeforeTheEndAreTaken() throws Exception {
        send(here, 7);
        send(here, 8);
        here.close();
        end(pair.there);
        assertThat(receive(there)).isEqualTo(7);
        assertThat(receive(there)).isEqualTo(8);
        assertEnded(() -> receive(there));
    }

    @Test
    void threadsThatWaitEndWithTheConnection() throws Exception {
        for (int i = 0; i < COUNT; i++) {
            send(here, i);
        }
        var reader = InThread.PLATFORM.start(() -> receive(here));
        var sender = InThread.PLATFORM.start(() -> {
            send(here, COUNT);
            return null;
        });
        Thread.sleep(50);
        end(pair.here);
        assertEnded(() -> reader.result(SOON));
        assertEnded(() -> sender.result(SOON));
    }

    @Test
    void threadsThatWaitEndWhenThisEndIsClosed() throws Exception {
        var reader = InThread.PLATFORM.start(() -> receive(here));
        Thread.sleep(50);
        here.close();
        assertThatThrownBy(() -> reader.result(SOON)).isInstanceOf(VerbsException.class);
        assertEnded(() -> send(here, 1));
        assertEnded(() -> receive(here));
    }

    @Test
    void closingReportsWhatDidNotReachThePeer() throws Exception {
        send(here, 1);
        assertThat(receive(there)).isEqualTo(1);
        pair.there.close();
        send(here, 2);
        send(here, 3);
        assertThatThrownBy(here::close)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET))
                .hasMessageContaining("the last 2 messages");
        here.close();
    }

    @Test
    void closingIsSilentWhenAllHasArrived() throws Exception {
        for (int i = 0; i < COUNT; i++) {
            send(here, i);
        }
        here.close();
        assertThat(receive(there)).isZero();
    }

    /// The peer announces its taken messages when it closes. The acknowledgements of these messages may be lost, and a
    /// closed queue pair does not repeat acknowledgements.
    @Test
    void closingIsSilentWhenThePeerHasTakenAll() throws Exception {
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1)); // loses the acknowledgements
        send(here, 0);
        assertThat(receive(there)).isZero();
        pair.thereDevice.conditions(LinkConditions.PERFECT);
        there.close();
        here.close();
    }

    @Test
    void somethingElseThanAMessageIsRefused() throws Exception {
        var memory = pair.domain.allocate(BYTES, Access.LOCAL_WRITE);
        pair.here.post(new SendWorkRequest().send().local(memory.local()));
        assertThatThrownBy(() -> there.receive(LONG))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                .hasMessageContaining("withPlainMessages");
        memory.close();
    }

    @Test
    void unequalLengthsAreNamedAsTheCause() throws Exception {
        try (var other = new MessagePair()) {
            var longer = Messages.over(other.here, other.hereQueue, COUNT, 2 * BYTES);
            var shorter = Messages.over(other.there, other.thereQueue, COUNT, BYTES);
            longer.send(new byte[2 * BYTES], LONG);
            for (Messages end : List.of(longer, shorter)) {
                assertThatThrownBy(() -> end.receive(LONG)).isInstanceOf(VerbsException.class)
                        .hasMessageContaining("both ends need the same message length");
            }
            assertThatThrownBy(longer::close).hasMessageContaining("the last message that");
            shorter.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages whose work requests are refused, whose acknowledgements are lost, or whose peer violates the protocol.
@Timeout(60)
class MessageFaultsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int COUNT = 4;
    private static final int BYTES = 64;

    private final MessagePair pair = new MessagePair();

    /// In another thread, which would wait for a lock that a failed call has left.
    @AfterEach
    void close() throws Exception {
        InThread.PLATFORM.run(pair::close, Duration.ofSeconds(20));
    }

    /// Ends work with messages, in another thread.
    private static void closeAll(Messages... ends) throws Exception {
        for (Messages end : ends) {
            InThread.PLATFORM.run(end::close, Duration.ofSeconds(20));
        }
    }

    private Messages here(boolean plain) {
        return messages(pair.here, plain);
    }

    private Messages there(boolean plain) {
        return messages(pair.there, plain);
    }

    private Messages messages(QueuePair queuePair, boolean plain) {
        var queue = queuePair.equals(pair.here) ? pair.hereQueue : pair.thereQueue;
        var messages =
                new Messages(queuePair, queue, new MessageTerms(COUNT, BYTES), plain, Duration.ofMillis(200),
                        () -> false);
        if (!plain) {
            messages.begin(COUNT);
        }
        return messages;
    }

    private static void assertFails(int errno, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageEndingWith(": " + text);
    }

    /// Fills the send queue of the end `here` with writes that are not acknowledged until the link is perfect again.
    private void fillSends() {
        MemoryRegion target = pair.there.protectionDomain().allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        RemoteMemory remote = target.remote();
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        while (pair.here.post(new SendWorkRequest().write().remote(remote)) == 1) {
            // until the queue is full
        }
    }

    private void emptySends() {
        pair.thereDevice.conditions(LinkConditions.PERFECT);
        while (pair.here.readSendRing().orElseThrow().fill() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aMessageWithoutRoomInTheSendQueueCostsNothing() throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        fillSends();
        String full = "the send queue of " + pair.here + " is full of the program's own work requests";
        for (int i = 0; i <= COUNT; i++) {
            assertThatThrownBy(() -> here.send(new byte[1], LONG)).isInstanceOf(IllegalStateException.class)
                    .hasMessage(full);
            OutgoingMessage message = Objects.requireNonNull(here.compose(LONG));
            assertThatThrownBy(() -> message.send(1)).isInstanceOf(IllegalStateException.class).hasMessage(full);
            message.close();
            assertThat(here.credits()).isEqualTo(COUNT);
        }
        emptySends();
        for (byte i = 0; i < 2 * COUNT; i++) {
            here.send(new byte[]{i}, LONG);
            assertThat(there.receive(LONG)).hasValue(new byte[]{i});
        }
        closeAll(here, there);
    }

    /// Otherwise both ends would wait for each other.
    ///
    /// @param sending whether this end waits to send, not to receive
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void creditsWithoutRoomInTheSendQueueAreAnnouncedLater(boolean sending) throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        for (int i = 0; i < COUNT; i++) {
            here.send(new byte[1], LONG);
            there.send(new byte[1], LONG);
        }
        fillSends();
        for (int i = 0; i < COUNT; i++) {
            assertThat(here.receive(LONG)).isPresent();
        }
        assertThat(there.compose(SHORT)).isNull();
        emptySends();
        if (sending) {
            assertThat(here.compose(SHORT)).isNull();
        } else {
            assertThat(here.receive(SHORT)).isEmpty();
        }
        Objects.requireNonNull(there.compose(LONG)).close();
        assertThat(there.credits()).isEqualTo(COUNT);
        closeAll(here, there);
    }

    /// Otherwise the error would blame the peer, which has no message.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void composedMessagesLeaveNoRoom(boolean plain) throws Exception {
        Messages here = here(plain);
        for (int i = 0; i < COUNT; i++) {
            assertThat(here.compose(LONG)).isNotNull();
        }
        assertFails(Errno.ETIMEDOUT, "this program holds 4 composed messages; send or close them",
                () -> here.send(new byte[1], SHORT));
        closeAll(here);
    }

    @Test
    void oneMessageIsNotInThePlural() {
        assertThat(MessageFailure.unsent(4, 0, 1))
                .hasMessageContaining("this program holds a composed message; send or close it");
        assertThat(MessageFailure.unsent(4, 1, 0))
                .hasMessageContaining("the peer has posted no receive for the outstanding message");
    }

    @Test
    void aReceiveThatIsRefusedEndsTheMessages() throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        there.send(new byte[1], LONG);
        there.send(new byte[2], LONG);
        IncomingMessage message = Objects.requireNonNull(here.take(LONG));
        pair.here.close();
        message.close();
        assertThat(here.receive(LONG)).as("has arrived before").hasValue(new byte[2]);
        String closed = pair.here + " is closed";
        assertFails(Errno.ECONNRESET, closed, () -> here.receive(LONG));
        assertFails(Errno.ECONNRESET, closed, () -> here.send(new byte[1], LONG));
        assertFails(Errno.ECONNRESET, closed, () -> here.compose(LONG));
        closeAll(here);
    }

    @Test
    void numbersAreLimited() throws Exception {
        for (int[] limits : new int[][]{{0, 1}, {65_537, 1}, {1, 0}, {1, (1 << 30) + 1}}) {
            String refused = limits[0] == 1 ? "bytes=" + limits[1] : "count=" + limits[0];
            assertThatThrownBy(() -> Messages.over(pair.here, pair.hereQueue, limits[0], limits[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(refused + " is not in 1..");
        }
        Messages here = Messages.over(pair.here, pair.hereQueue, 1, 1);
        Messages there = Messages.over(pair.there, pair.thereQueue, 1, 1);
        here.send(new byte[]{1}, LONG);
        assertThat(here.compose(SHORT)).isNull();
        assertThatThrownBy(() -> here.send(new byte[2], LONG)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("message.length=2 is not in 0..1");
        assertThat(there.receive(LONG)).isPresent();
        OutgoingMessage message = Objects.requireNonNull(here.compose(LONG));
        assertThatThrownBy(() -> message.send(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length=-1 is not in 0..1");
        message.send(0);
        assertThat(there.receive(LONG)).hasValue(new byte[0]);
        closeAll(here, there);
    }

    /// The header is `v4j`, the kind, and the credits.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        76346a01 00000000       | a message of 0 bytes
        76346a01 00000000 aabb  | a message of 2 bytes
        76346a02 00000000       | none
        76346a01 00000001       | the peer announces more credits than it has receives; both ends need the same count
        76346a02 00000001       | the peer announces more credits than it has receives; both ends need the same count
        76346a02 ffffffff       | the peer announces more credits than it has receives; both ends need the same count
        76346a03 00000000       | foreign
        76346a00 00000000       | foreign
        86346a01 00000000       | foreign
        76346a01 000000         | foreign
        ''                      | foreign
        """)
    void whatThePeerSends(String hex, String result) throws Exception {
        Messages there = there(false);
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
        MemorySegment sent = MemorySegment.ofBuffer(bytes);
        assertThat(pair.here.post(new SendWorkRequest().send().inline(sent, 0, sent.byteSize()))).isOne();
        assertThat(result(there)).isEqualTo(result);
        closeAll(there);
    }

    private static String result(Messages end) throws InterruptedException {
        try {
            return end.receive(Duration.ofMillis(200))
                    .map(message -> "a message of " + message.length + " bytes")
                    .orElse("none");
        } catch (VerbsException e) {
            assertThat(e.errno()).isEqualTo(Errno.EPROTO);
            String text = Objects.requireNonNull(e.getMessage());
            return text.contains(
                    "the peer does not use this message protocol; set ConnectionOptions.withMessages there,"
                            + " or withPlainMessages at this end if the peer is a program in C")
                                    ? "foreign"
                                    : text.substring(text.indexOf("the peer"));
        }
    }

    /// Such a write uses a receive, but leaves the memory of the receive unchanged.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriteWithImmediateDataIsNoMessage(boolean plain) throws Exception {
        Messages there = there(plain);
        MemoryRegion target = pair.there.protectionDomain().allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        assertThat(pair.here.post(new SendWorkRequest().write().remote(target.remote()).immediate(1))).isOne();
        assertFails(Errno.EPROTO, "an RDMA write with immediate data has used a receive of the messages; the peer must"
                + " write without immediate data", () -> there.receive(LONG));
        closeAll(there);
    }

    @Test
    void plainMessagesAreSendsWithoutAHeader() throws Exception {
        Messages here = here(true);
        MemoryRegion memory = pair.there.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
        try (var batch = pair.there.beginReceive()) {
            batch.workRequestId(1).receive(memory, 0, BYTES);
            batch.submit();
        }
        here.send(new byte[]{7, 8}, LONG);
        assertThat(pair.thereQueue.await(1, completion -> assertThat(completion.byteLength()).isEqualTo(2), LONG))
                .isOne();
        assertThat(memory.segment().asByteBuffer().getShort()).isEqualTo((short) 0x708);
        closeAll(here);
    }

    @Test
    void plainMessagesHaveNoCredits() throws Exception {
        Messages here = here(true);
        Messages there = there(true);
        for (byte i = 0; i < 3 * COUNT; i++) {
            here.send(new byte[]{i}, LONG);
            assertThat(there.receive(LONG)).hasValue(new byte[]{i});
            assertThat(here.credits()).isEqualTo(Integer.MAX_VALUE);
        }
        Objects.requireNonNull(here.compose(LONG)).close();
        assertThat(here.credits()).isEqualTo(Integer.MAX_VALUE);
        assertThat(there.receive(SHORT)).as("no announcement").isEmpty();
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        for (int i = 0; i < COUNT; i++) {
            here.send(new byte[]{1}, LONG);
        }
        assertFails(Errno.ETIMEDOUT, "the peer has posted no receive for the 4 outstanding messages",
                () -> here.send(new byte[1], SHORT));
        assertFails(Errno.ECONNRESET, "the last 4 messages that this end sent may not have reached the peer: the peer"
                + " had no receive for them in time", here::close);
        closeAll(there);
    }

    @Test
    void aCloseKeepsTheInterruptStatus() throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        here.send(new byte[1], LONG);
        Thread.currentThread().interrupt();
        here.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(there.receive(LONG)).isPresent();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> there.receive(LONG)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> there.send(new byte[1], LONG)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> there.compose(LONG)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        there.close();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aCloseThatIsInterruptedStillWaits() throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        here.send(new byte[1], LONG);
        var closing = InThread.PLATFORM.start(() -> {
            here.close();
            return Thread.currentThread().isInterrupted();
        });
        Eventually.until(LONG, closing::isWaiting, () -> "does not wait");
        closing.interrupt();
        Thread.sleep(10);
        assertThat(closing.isDone()).isFalse();
        pair.thereDevice.conditions(LinkConditions.PERFECT);
        assertThat(closing.result(Duration.ofSeconds(20))).isTrue();
        assertThat(there.receive(LONG)).isPresent();
        closeAll(there);
    }

    @Test
    void deliveryIsAwaitedAndTakenMessagesAreAnnounced() throws Exception {
        Messages here = here(false);
        Messages there = there(false);
        here.send(new byte[1], LONG);
        here.awaitDelivery(Deadline.within(LONG));
        assertThat(there.receive(LONG)).isPresent();
        assertThat(here.receive(SHORT)).isEmpty();
        assertThat(here.credits()).as("one taken message is not announced on its own").isEqualTo(COUNT - 1);
        there.awaitDelivery(Deadline.within(LONG));
        assertThat(here.receive(SHORT)).isEmpty();
        assertThat(here.credits()).isEqualTo(COUNT);
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        here.send(new byte[1], LONG);
        long start = System.nanoTime();
        here.awaitDelivery(Deadline.within(Duration.ofMillis(30)));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(30), LONG);
        pair.thereDevice.conditions(LinkConditions.PERFECT);
        here.awaitDelivery(Deadline.within(LONG));
        closeAll(here, there);
    }

    @Test
    void lostMessagesAreNotBlamedOnAPeerThatHasEndedTheConnection() throws Exception {
        var ended = new AtomicBoolean();
        var messages = new Messages(
                pair.here, pair.hereQueue, new MessageTerms(COUNT, BYTES), true, LONG, ended::get);
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        messages.send(new byte[1], LONG);
        ended.set(true);
        assertFails(Errno.ECONNRESET, "the last message that this end sent may not have reached the peer: the"
                + " connection has ended", messages::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterTheEndOfTheConnectionNothingIsAwaited(boolean plain) throws Exception {
        var messages = new Messages(
                pair.here, pair.hereQueue, new MessageTerms(COUNT, BYTES), plain, LONG, () -> true);
        pair.thereDevice.conditions(LinkConditions.PERFECT.withLoss(1));
        String ended = "the connection has ended";
        assertFails(Errno.ECONNRESET, ended, () -> messages.send(new byte[1], LONG));
        assertFails(Errno.ECONNRESET, ended, () -> messages.compose(LONG));
        assertThat(messages.receive(SHORT)).isEmpty();
        messages.awaitDelivery(Deadline.within(LONG));
        closeAll(messages);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> messages.send(new byte[1], LONG), () -> messages.receive(LONG), () -> messages.compose(LONG))) {
            assertFails(Errno.ECONNRESET, "this end has closed the messages", call);
        }
        closeAll(messages);
    }
}

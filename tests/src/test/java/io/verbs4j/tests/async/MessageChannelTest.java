// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.async.Lease;
import io.verbs4j.async.Message;
import io.verbs4j.async.MessageChannel;
import io.verbs4j.async.SlabPool;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The queue pairs do not retry when the peer has no receive: a credit too many would end the connection.
@Timeout(60)
class MessageChannelTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int WINDOW = 4;
    private static final int MESSAGES = 500;

    private Loop loop;
    private SlabPool pool;
    private MessageChannel here;
    private MessageChannel there;

    @BeforeEach
    void open() {
        loop = new Loop(true);
        pool = SlabPool.allocate(loop.domain, 64, 64, Access.LOCAL_WRITE);
        here = MessageChannel.open(loop.here, pool, WINDOW);
        there = MessageChannel.open(loop.there, pool, WINDOW);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        pool.close();
        loop.close();
    }

    private static void send(MessageChannel channel, int number) throws InterruptedException {
        try (Lease lease = channel.lease()) {
            lease.segment().set(ValueLayout.JAVA_INT, 0, number);
            channel.send(lease, Integer.BYTES, LONG);
        }
    }

    private static int receive(MessageChannel channel) throws InterruptedException {
        try (Message message = Objects.requireNonNull(channel.receive(LONG))) {
            assertThat(message.length()).isEqualTo(Integer.BYTES);
            return message.segment().get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void carriesMessagesInOneDirectionInOrder() throws Exception {
        Thread sender = Thread.ofVirtual().start(() -> sendAll(here));
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(receive(there)).isEqualTo(i);
        }
        sender.join();
    }

    @Test
    void carriesMessagesInBothDirectionsAtATime() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (MessageChannel end : List.of(here, there)) {
                ends.add(threads.submit(() -> sendAll(end)));
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < MESSAGES; i++) {
                        assertThat(receive(end)).isEqualTo(i);
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static void sendAll(MessageChannel channel) {
        try {
            for (int i = 0; i < MESSAGES; i++) {
                send(channel, i);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sendsNoMoreThanThePeerHasRoomFor() throws Exception {
        for (int i = 0; i < WINDOW; i++) {
            send(here, i);
        }
        try (Lease lease = here.lease()) {
            assertThat(here.trySend(lease, 4)).isFalse();
            assertThatThrownBy(() -> here.send(lease, 4, SHORT))
                    .isInstanceOfSatisfying(VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT));

            for (int i = 0; i < WINDOW / 2; i++) {
                receive(there);
            }
            here.send(lease, 4, LONG);
        }
    }

    @Test
    void returnsCreditsWithAnswers() throws Exception {
        for (int i = 0; i < 3 * WINDOW; i++) {
            send(here, i);
            assertThat(receive(there)).isEqualTo(i);
            send(there, -i);
            assertThat(receive(here)).isEqualTo(-i);
        }
        assertThat(here.credits()).isGreaterThanOrEqualTo(WINDOW - 1);
    }

    @Test
    void aRefusedMessageCostsNeitherRoomNorTheCreditsThatItWouldHaveCarried() throws Exception {
        send(there, 1);
        assertThat(receive(here)).isEqualTo(1);
        int room = there.credits();
        try (Lease lease = here.lease()) {
            for (int i = 0; i < 2 * WINDOW; i++) {
                assertThatThrownBy(() -> here.trySend(lease, lease.length() + 1))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(here.credits()).isEqualTo(WINDOW);
        }

        send(here, 2);
        assertThat(receive(there)).isEqualTo(2);
        assertThat(there.credits()).isEqualTo(room + 1);
    }

    @Test
    void keepsTheMessagesThatCameBeforeTheEnd() throws Exception {
        send(here, 7);
        Message message = Objects.requireNonNull(there.receive(LONG));
        send(here, 8);
        here.close();

        assertThat(message.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(7);
        message.close();
        assertThat(receive(there)).isEqualTo(8);
        there.close();
        assertThatThrownBy(() -> receive(there)).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET));
        assertThat(pool.available()).isEqualTo(pool.count());
    }

    @Test
    void theEndThatWasClosedHasNoMessages() throws Exception {
        send(here, 7);
        Thread.sleep(Duration.ofMillis(50)); // until it has come
        there.close();

        assertThatThrownBy(there::tryReceive).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET));
    }

    @Test
    void refusesAPoolThatIsTooSmall() {
        try (SlabPool small = SlabPool.allocate(loop.domain, WINDOW, 64, Access.LOCAL_WRITE)) {
            assertThatThrownBy(() -> MessageChannel.open(loop.here, small, WINDOW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("needs 8 slabs");
        }
    }
}

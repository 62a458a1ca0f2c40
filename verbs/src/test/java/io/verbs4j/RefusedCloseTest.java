// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Events that arrive while a completion queue is being closed. The kernel then refuses the close.
@Timeout(60)
class RefusedCloseTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final FakeDevice device = device();
    private final Context context = InjectedDevices.open(device);
    private final CompletionChannel channel = context.createCompletionChannel();
    private final CompletionQueue queue =
            context.createCompletionQueue(CompletionQueueOptions.entries(4).withChannel(channel));

    private static FakeDevice device() {
        var device = new FakeDevice();
        device.letEventsWait();
        return device;
    }

    @AfterEach
    void close() {
        context.close();
        assertThat(device.left()).isEmpty();
        device.free();
    }

    /// @param during runs after the event was raised
    private void closeInVain(Runnable during) {
        device.before("destroy completion queue", () -> {
            device.announce();
            during.run();
        });
        device.fail("destroy completion queue", 1);
        assertThatThrownBy(queue::close).isInstanceOf(VerbsException.class);
    }

    @Test
    void losesNoEventOfTheChannel() {
        var taken = new ArrayList<CompletionQueue>();
        queue.requestNotification(false);
        closeInVain(() -> {
            try {
                taken.add(channel.take(Duration.ZERO));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(taken).containsExactly(queue);
    }

    @Test
    void isRepeatedByAThreadThatHasWaitedForIt() throws Exception {
        var others = new ArrayList<InThread.Started<Boolean>>();
        closeInVain(() -> {
            var other = InThread.PLATFORM.start(() -> {
                queue.close();
                return queue.isClosed();
            });
            Eventually.until(LIMIT, other::isWaiting, other::toString);
            others.add(other);
        });
        assertThat(others.getFirst().result(LIMIT)).isTrue();
    }

    @Test
    void wakesAThreadThatAwaitsCompletions() throws Exception {
        var thread = InThread.PLATFORM.start(() -> queue.await(1, _ -> {}, Eventually.LIMIT));
        Eventually.until(LIMIT, thread::isWaiting, thread::toString);
        var armedAgain = new CountDownLatch(1);
        closeInVain(() -> {
            device.after("request notification", armedAgain::countDown);
            Eventually.until(LIMIT, () -> queue.announcements() > 0, () -> "the event is lost");
        });
        assertThat(armedAgain.await(10, TimeUnit.SECONDS)).as("the thread has polled the queue").isTrue();
        queue.close();
        assertThat(thread.failure()).isInstanceOf(IllegalStateException.class).hasMessage(queue + " is closed");
    }
}

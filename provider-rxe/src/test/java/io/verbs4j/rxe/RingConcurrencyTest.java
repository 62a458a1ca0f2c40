// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Both sides of the rings concurrently: everything arrives once, in order and complete.
@SuppressWarnings("ThreadPriorityCheck") // both threads are busy, and there may be one processor
class RingConcurrencyTest {
    private static final int MESSAGES = 100_000;

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void completionsOfAHundredThousandSendsComeInOrder() throws InterruptedException {
        FakeRing sendMemory = rings.sendMemory(64, 61);
        FakeRing completionMemory = rings.completionMemory(32, 30);
        SendRing send = rings.send(sendMemory, QueuePairType.RC);
        CompletionRing completions = rings.completion(completionMemory);
        FakeKernel kernel = FakeKernel.sender(sendMemory, completionMemory, 17);
        Thread other = kernelThread(kernel);
        long deadline = deadline();
        var completion = new Completion();
        int posted = 0;
        int completed = 0;
        while (completed < MESSAGES && System.nanoTime() < deadline) {
            send.begin();
            for (int i = 0; i < 5 && posted < MESSAGES; i++) {
                if (send.post(SendRequest.of(posted, SIGNALED).operation(SEND), 0, posted & 0xffff, 0)
                        == PostResult.QUEUE_FULL) {
                    break;
                }
                posted++;
            }
            send.publish();
            int before = completed;
            completed = poll(completions, completion, completed);
            if (completed > before) {
                deadline = deadline();
            }
            Thread.yield();
        }
        other.interrupt();
        other.join();
        assertThat(completed).isEqualTo(MESSAGES);
        assertThat(sendMemory.waiting()).isZero();
        assertThat(completions.begin()).isZero();
    }

    @Test
    void completionsOfAHundredThousandReceivesComeInOrder() throws InterruptedException {
        FakeRing receiveMemory = rings.receiveMemory(16, 15);
        FakeRing completionMemory = rings.completionMemory(8, 0);
        ReceiveRing receive = rings.receive(receiveMemory);
        CompletionRing completions = rings.completion(completionMemory);
        FakeKernel kernel = FakeKernel.receiver(receiveMemory, completionMemory, 17);
        Thread other = kernelThread(kernel);
        long deadline = deadline();
        var completion = new Completion();
        int posted = 0;
        int completed = 0;
        while (completed < MESSAGES && System.nanoTime() < deadline) {
            receive.begin();
            while (posted < MESSAGES
                    && receive.receive(posted, 4096, posted & 0xffff, posted) == PostResult.POSTED) {
                posted++;
            }
            receive.publish();
            int before = completed;
            completed = poll(completions, completion, completed);
            if (completed > before) {
                deadline = deadline();
            }
            Thread.yield();
        }
        other.interrupt();
        other.join();
        assertThat(completed).isEqualTo(MESSAGES);
        assertThat(receiveMemory.waiting()).isZero();
    }

    private static Thread kernelThread(FakeKernel kernel) {
        return Thread.ofPlatform().name("fake kernel").daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                if (!kernel.step()) {
                    Thread.yield();
                }
            }
        });
    }

    /// The other thread gets the processor earlier than this, on a busy machine too. A completion that came starts
    /// the time again.
    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }

    private static int poll(CompletionRing ring, Completion completion, int completed) {
        int count = completed;
        ring.begin();
        while (ring.next(completion)) {
            assertThat(completion.workRequestId()).isEqualTo(count);
            assertThat(completion.status()).isZero();
            assertThat(completion.byteLength()).isEqualTo(count & 0xffff);
            assertThat(completion.queuePairNumber()).isEqualTo(17);
            count++;
        }
        ring.end();
        return count;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.CompletionRecord;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Leases, receives and sends in random order do what a model says: each slab has one user at a time, is free as soon
/// as it has none, and each message arrives in the oldest receive.
@Timeout(60)
class AsyncWalksTest {
    private static final int SLABS = 5;
    private static final int SLAB_BYTES = 100;
    private static final int WALKS = 8;
    private static final int STEPS = 80;

    /// A slab that the program holds, or the device uses for a receive, or both.
    private static final class Used {
        final Lease lease;
        boolean held = true;
        int receives;

        Used(Lease lease) {
            this.lease = lease;
        }
    }

    private record Receive(Used slab, CompletableFuture<CompletionRecord> future) {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goAsTheModelSays(boolean detecting) {
        for (int seed = 0; seed < WALKS; seed++) {
            try (var loop = new Loop(false)) {
                var pool = SlabPool.allocate(loop.domain, SLABS, SLAB_BYTES, Access.LOCAL_WRITE);
                new Walk(loop, detecting ? pool.detectLeaks() : pool, new Random(seed)).run();
                pool.close();
            }
        }
    }

    private static final class Walk {
        private final Loop loop;
        private final SlabPool pool;
        private final Random random;
        private final WorkScope sends;
        private final WorkScope receives;
        private final List<Used> used = new ArrayList<>();
        private final Deque<Receive> waiting = new ArrayDeque<>();
        private int messages;

        Walk(Loop loop, SlabPool pool, Random random) {
            this.loop = loop;
            this.pool = pool;
            this.random = random;
            this.sends = loop.here.open();
            this.receives = loop.there.open();
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> lease();
                    case 2 -> giveBack();
                    case 3 -> receive();
                    default -> send();
                }
                used.removeIf(slab -> !slab.held && slab.receives == 0);
                assertThat(pool.available()).isEqualTo(SLABS - used.size());
                assertThat(receives.inFlight()).isEqualTo(waiting.size());
                assertThat(sends.inFlight()).isZero();
            }
            end();
        }

        private void lease() {
            Lease lease = pool.tryLease();
            assertThat(lease == null).isEqualTo(used.size() == SLABS);
            if (lease != null) {
                assertThat(used).noneMatch(slab -> slab.lease.offset() == lease.offset());
                assertThat(lease.segment().byteSize()).isEqualTo(SLAB_BYTES);
                used.add(new Used(lease));
            }
        }

        private @Nullable Used any() {
            List<Used> held = used.stream().filter(slab -> slab.held).toList();
            return held.isEmpty() ? null : held.get(random.nextInt(held.size()));
        }

        private void giveBack() {
            Used slab = any();
            if (slab != null) {
                slab.lease.close();
                slab.lease.close();
                slab.held = false;
                assertThatIllegalStateException().isThrownBy(() -> receives.receive(slab.lease))
                        .withMessageContaining("closed");
            }
        }

        private void receive() {
            Used slab = any();
            if (slab != null) {
                waiting.add(new Receive(slab, receives.receive(slab.lease)));
                slab.receives++;
            }
        }

        /// Sends, if there is a receive: a slab that the receive does not use, or a refused length.
        private void send() {
            Used slab = any();
            if (slab == null || waiting.isEmpty() || waiting.element().slab.lease.offset() == slab.lease.offset()) {
                return;
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> sends.post(new SendWorkRequest().send(), slab.lease, SLAB_BYTES + 1));
            int length = random.nextInt(SLAB_BYTES - 10) + 10;
            String text = "message" + messages++;
            slab.lease.segment().setString(0, text);
            var sent = sends.post(new SendWorkRequest().send().immediate(messages), slab.lease, length);
            Receive first = waiting.remove();
            assertThat(sends.awaitIdle(Duration.ofSeconds(20))).isTrue();
            while (!first.future.isDone()) {
                loop.poll();
            }
            first.slab.receives--;
            assertThat(sent.resultNow().isSuccess()).isTrue();
            assertThat(first.future.resultNow().byteLength()).isEqualTo(length);
            assertThat(first.future.resultNow().immediateDataOrKey()).isEqualTo(messages);
            if (first.slab.held) {
                assertThat(first.slab.lease.segment().getString(0)).isEqualTo(text);
            }
        }

        private void end() {
            loop.there.close();
            assertThat(receives.inFlight()).isZero();
            for (Receive each : waiting) {
                assertThat(each.future.exceptionNow()).isInstanceOfSatisfying(
                        WorkFailedException.class,
                        failure -> assertThat(failure.completion().status())
                                .isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED));
                each.slab.receives--;
            }
            used.removeIf(slab -> !slab.held);
            assertThat(pool.available()).isEqualTo(SLABS - used.size());
            used.forEach(slab -> slab.lease.close());
            assertThat(pool.available()).isEqualTo(SLABS);
            sends.close();
            receives.close();
        }
    }
}

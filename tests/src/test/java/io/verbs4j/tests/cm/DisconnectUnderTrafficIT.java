// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryRegion;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A connection that one end disconnects while both ends send. Acknowledged messages have arrived in order, all other
/// work requests complete as flushed, and no objects are left.
@DeviceTest
@Needs.EachKernel
class DisconnectUnderTrafficIT {
    private static final int SENDS = 16;
    private static final int RECEIVES = 64;
    private static final int MIN_MESSAGES = 200;
    /// The common pool has a single thread on a machine of one processor.
    private static final Executor EACH_A_THREAD = task -> Thread.ofPlatform().daemon().start(task);

    /// One end, in a thread of its own.
    private static final class End {
        private static final long SEND = 1L << 32;

        private MemoryRegion memory;
        private RdmaConnection connection;
        private final Queue<Integer> freeSends = new ArrayDeque<>();
        private int outstanding = SENDS + RECEIVES;
        private boolean over;
        private long sent;
        private long acknowledged;
        private volatile long received;

        ConnectionOptions options() {
            return ConnectionOptions.defaults()
                    .withTimeout(Steps.LONG)
                    .withDrain(Duration.ZERO)
                    .withQueues(SENDS, RECEIVES)
                    .withPreparation(this::prepare);
        }

        private void prepare(RdmaConnection prepared) {
            connection = prepared;
            memory = prepared.protectionDomain().allocate(8L * (SENDS + RECEIVES), Access.LOCAL_WRITE);
            for (int slot = 0; slot < RECEIVES; slot++) {
                receive(slot);
            }
        }

        private void receive(int slot) {
            try (var batch = connection.queuePair().beginReceive()) {
                batch.workRequestId(slot).receive(memory, 8L * (SENDS + slot), 8);
                batch.submit();
            }
        }

        private void send(int slot) {
            memory.segment().set(ValueLayout.JAVA_LONG, 8L * slot, sent++);
            try (var batch = connection.queuePair().beginSend()) {
                batch.signaled().workRequestId(SEND | slot).send().local(memory, 8L * slot, 8).post();
                batch.submit();
            }
        }

        /// Sends and receives until the connection has ended and all that was posted has completed.
        End talk() {
            try {
                for (int slot = 0; slot < SENDS; slot++) {
                    send(slot);
                }
                while (outstanding > 0) {
                    assertThat(connection.completionQueue().await(32, this::completed, Steps.LONG))
                            .as("completions; %d work requests are outstanding", outstanding)
                            .isPositive();
                    while (!freeSends.isEmpty()) {
                        send(freeSends.remove());
                    }
                }
                return this;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void completed(WorkCompletion completion) {
            int slot = (int) completion.workRequestId();
            boolean isSend = (completion.workRequestId() & SEND) != 0;
            if (!completion.isSuccess()) {
                assertThat(completion.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
                over = true;
            } else if (isSend) {
                acknowledged++;
            } else {
                assertThat(memory.segment().get(ValueLayout.JAVA_LONG, 8L * (SENDS + slot))).isEqualTo(received);
                received++;
            }
            if (over) {
                outstanding--;
            } else if (isSend) {
                freeSends.add(slot);
            } else {
                receive(slot);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesNothingThatWasAcknowledged(boolean byClient) throws Exception {
        InetSocketAddress address = CmAddress.right();
        var left = new End();
        var right = new End();
        try (var server = RdmaServer.listen(address, right.options())) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, left.options());
                    var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                var talks = new CompletableFuture<?>[]{
                        CompletableFuture.supplyAsync(left::talk, EACH_A_THREAD),
                        CompletableFuture.supplyAsync(right::talk, EACH_A_THREAD)
                };
                Eventually.until(
                        () -> left.received >= MIN_MESSAGES && right.received >= MIN_MESSAGES || talks[0].isDone()
                                || talks[1].isDone(),
                        () -> left.received + " and " + right.received + " were received");
                (byClient ? client : accepted).disconnect();
                CompletableFuture.allOf(talks).get(60, TimeUnit.SECONDS);
                client.disconnected().get(60, TimeUnit.SECONDS);
                accepted.disconnected().get(60, TimeUnit.SECONDS);
                assertThat(right.received).isBetween(Math.max(MIN_MESSAGES, left.acknowledged), left.sent);
                assertThat(left.received).isBetween(Math.max(MIN_MESSAGES, right.acknowledged), right.sent);
                Objects.requireNonNull(left.memory).close();
                Objects.requireNonNull(right.memory).close();
            }
        }
        LeakCheck.awaitNothingOfConnections();
    }
}

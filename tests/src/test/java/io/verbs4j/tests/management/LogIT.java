// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LoggedMessages;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a service reads in its log.
@DeviceTest
class LogIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void warnsOfEventsThatAreFailuresOnly() throws InterruptedException {
        try (var log = LoggedMessages.of("io.verbs4j"); Context context = Rxe.open()) {
            var queue = context.createCompletionQueue(16);
            var small = context.createCompletionQueue(1);
            var prepared = context.allocateProtectionDomain()
                    .reliableConnection(queue)
                    .sendCompletionQueue(small)
                    .prepare();
            var queuePair = prepared.connect(prepared.endpoint());
            try (var receives = queuePair.beginReceive()) {
                for (int i = 0; i <= small.capacity(); i++) {
                    receives.post(0, 0, 0);
                }
                receives.submit();
            }
            for (int i = 0; i <= small.capacity(); i++) {
                try (var batch = queuePair.beginSend()) {
                    batch.signaled().sendInline(MemorySegment.NULL);
                    batch.submit();
                }
            }
            assertThat(context.asyncEvents().take(LONG)).isEqualTo(new AsyncEvent(AsyncEventType.CQ_ERROR, small, 0));
            assertThat(log.all()).containsExactly("WARNING " + context + ": CQ_ERROR of " + small);

            queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.SQD).build());
            assertThat(context.asyncEvents().take(LONG))
                    .isEqualTo(new AsyncEvent(AsyncEventType.SEND_QUEUE_DRAINED, queuePair, 0));
            assertThat(log.all()).hasSize(1);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tools.pingpong.EventWait;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Waiting for completions until none has arrived for a timeout.
@DeviceTest
@Needs.NoKernel
class EventWaitIT {
    private static final Duration TIMEOUT = Duration.ofMillis(50);

    @Test
    void beginsTheTimeoutAgainAfterACompletionAndAfterATimeout() {
        try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
            var wait = new EventWait(TIMEOUT);
            pair.right().receiveNothing(1);
            pair.left().send(1, 0, 0);
            pair.left().completions().nextSuccess();

            assertThat(wait.await(pair.right().queue(), 1, _ -> {})).isTrue();
            for (int silence = 0; silence < 2; silence++) {
                long started = System.nanoTime();
                assertThat(wait.await(pair.right().queue(), 1, _ -> {})).isFalse();
                assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(TIMEOUT.toNanos());
            }
        }
    }
}

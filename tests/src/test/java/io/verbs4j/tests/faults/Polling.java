// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.tests.support.Eventually;
import java.time.Duration;

/// Waits for completions without a system call, so that the calls of a program are the same each time.
final class Polling {
    private Polling() {}

    /// Takes the next completion, which reports success.
    static void one(CompletionQueue queue) {
        Eventually.until(
                Duration.ofSeconds(10),
                () -> queue.poll(1, completion -> assertThat(completion.isSuccess()).isTrue()) == 1,
                () -> "no completion on " + queue);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Completion queues, as in `test_cq.py`.
@PyverbsScenarios
@Covers({"ibv_create_cq", "ibv_destroy_cq"})
@Needs.OneKernel
class PyverbsCqIT {
    @Test
    @Scenario("test_cq.CQAPITest.test_create_cq")
    void createsQueuesOfEverySizeOnEveryVector() {
        try (Context context = Rxe.open()) {
            for (int entries : sizes(context)) {
                for (int vector = 0; vector < Math.min(2, context.completionVectors()); vector++) {
                    var options = CompletionQueueOptions.entries(entries).withCompletionVector(vector);
                    try (var queue = context.createCompletionQueue(options)) {
                        assertThat(queue.capacity()).isGreaterThanOrEqualTo(entries);
                    }
                }
            }
            context.createCompletionQueue(CompletionQueueOptions.entries(context.completionVectors())
                    .withCompletionVector(context.completionVectors() - 1));
        }
    }

    private static List<Integer> sizes(Context context) {
        int most = context.attributes().maxCompletionQueueEntries();
        return List.of(1, most / 2, most);
    }

    @Test
    @Covers({"ibv_create_comp_channel", "ibv_destroy_comp_channel"})
    @Scenario("test_cq.CQAPITest.test_create_cq_with_comp_channel")
    void createsQueuesWithAChannel() {
        try (Context context = Rxe.open()) {
            for (int entries : sizes(context)) {
                try (
                        var channel = context.createCompletionChannel();
                        var queue = context.createCompletionQueue(
                                CompletionQueueOptions.entries(entries).withChannel(channel))) {
                    assertThat(queue.channel()).isSameAs(channel);
                }
            }
        }
    }

    @Test
    @Scenario("test_cq.CQAPITest.test_create_cq_bad_flow")
    void createsNoneBeyondTheLimits() {
        try (Context context = Rxe.open()) {
            int tooMany = context.attributes().maxCompletionQueueEntries() + 1;
            assertThatThrownBy(() -> context.createCompletionQueue(tooMany))
                    .isInstanceOf(IllegalArgumentException.class);
            var beyond = CompletionQueueOptions.entries(100).withCompletionVector(context.completionVectors() + 1);
            assertThatThrownBy(() -> context.createCompletionQueue(beyond))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /// The suite does not wait for the completions before it shrinks their queue, so that it fails where they come late.
    @Test
    @Covers("ibv_resize_cq")
    @Scenario("test_cq.CQTest.test_resize_cq")
    void growsAndShrinksButNotBelowWhatWaits() {
        try (var players = Players.of(Setup.ud())) {
            var queue = players.client().queue();
            for (int entries : List.of(1, 7)) {
                queue.resize(entries);
                assertThat(queue.capacity()).isGreaterThanOrEqualTo(entries);
            }
            int sends = queue.capacity() - 1;
            for (int i = 0; i < sends; i++) {
                players.client().post(batch -> batch.send().local(players.client().memory(), 0, 8).post());
            }
            // As long as not all of them are there, a size that has room for all but one is accepted.
            Eventually.until(() -> isRefused(() -> queue.resize(sends - 1)), () -> "completions are missing");
            assertThat(isRefused(() -> queue.resize(1))).isTrue();
        }
    }

    private static boolean isRefused(Runnable resize) {
        try {
            resize.run();
            return false;
        } catch (VerbsException e) {
            assertThat(e.errno()).isEqualTo(Errno.EINVAL);
            return true;
        }
    }
}

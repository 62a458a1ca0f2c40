// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.threads;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many threads post to one queue pair, and many poll one completion queue: each work request completes exactly once.
///
/// The tests of this class share 60,000 work requests. The environment variable `VERBS4J_COMPLETIONS` sets another
/// number; the long form of the tests uses a million.
@DeviceTest
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Covers({"ibv_post_send", "ibv_poll_cq"})
@Needs.OneKernel("the threads, locks and rings are those of this process")
class CompletionsOfManyThreadsIT {
    private static final int BATCH = 64;
    private static final int ALL = Integer.parseInt(System.getenv().getOrDefault("VERBS4J_COMPLETIONS", "60000"));

    @ParameterizedTest
    @EnumSource
    void ofBatchesThatFourThreadsPost(InThread kind) throws Exception {
        try (var writes = new Writes(ALL / 4)) {
            writes.start(4, kind, () -> writes.postBatches(BATCH))
                    .start(1, kind, writes::poll)
                    .finish();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thatFourThreadsPollByCallbackAndByCursor(InThread kind) throws Exception {
        try (var writes = new Writes(ALL / 5)) {
            writes.start(2, kind, () -> writes.postBatches(BATCH))
                    .start(2, kind, writes::poll)
                    .start(2, kind, writes::pollByCursor)
                    .finish();
        }
    }

    @Test
    void ofBatchesListsAndSinglePostsAmidAbandonedBatches() throws Exception {
        try (var writes = new Writes(ALL / 10)) {
            writes.start(1, InThread.PLATFORM, () -> writes.postBatches(BATCH))
                    .start(1, InThread.VIRTUAL, () -> writes.postBatches(1))
                    .start(1, InThread.PLATFORM, () -> writes.postLists(7))
                    .start(1, InThread.PLATFORM, writes::abandonBatches)
                    .start(1, InThread.PLATFORM, writes::poll)
                    .start(1, InThread.VIRTUAL, writes::pollByCursor)
                    .finish();
        }
    }
}

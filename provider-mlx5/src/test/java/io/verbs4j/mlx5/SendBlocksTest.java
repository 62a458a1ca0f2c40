// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Blocks that completions release.
class SendBlocksTest {
    private static final int BLOCKS = 4;
    private static final int SEND = 0x0a;

    private final QueueMemory memory = QueueMemory.scratch(64 * BLOCKS);
    private final SendBlocks blocks = new SendBlocks(memory, 0, BLOCKS, BLOCKS, 7, false, null);

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            long at = blocks.claim();
            assertThat(at).isNotEqualTo(SendBlocks.FULL);
            blocks.posted(at, SEND, 2, 0, 0, i, 0);
        }
    }

    @Test
    void areFreeAgainUpToTheWorkRequestThatACompletionNames() {
        blocks.begin();
        post(BLOCKS);
        blocks.publish();
        assertThat(blocks.claim()).isEqualTo(SendBlocks.FULL);

        blocks.retire(1);
        blocks.begin();
        post(2);
        assertThat(blocks.claim()).isEqualTo(SendBlocks.FULL);
    }

    @Test
    void areNotFreedByCompletionsOfWhatWasNeverPublished() {
        blocks.begin();
        post(BLOCKS);
        blocks.retire(BLOCKS - 1);
        assertThat(blocks.claim()).isEqualTo(SendBlocks.FULL);
    }

    @Test
    void areThoseOfBeforeAfterAnAbandonedBatch() {
        blocks.begin();
        long first = blocks.claim();
        post(BLOCKS - 1);
        blocks.abandon();
        blocks.begin();
        assertThat(blocks.claim()).isEqualTo(first);
        post(BLOCKS);
    }
}

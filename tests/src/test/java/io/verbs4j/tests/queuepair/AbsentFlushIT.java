// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/// The 8-byte atomic write and the flush on kernels whose rxe lacks both. The kernel itself cannot be tested, because
/// it would use the opcode as an index beyond an array.
@DeviceTest
@DisabledIf(Kernel.FLUSH_AND_ATOMIC_WRITE)
@Needs.EachKernel
class AbsentFlushIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire().connect();
    private final RemoteMemory remote = pair.right().memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void isAnAtomicWriteThatIsRefusedBeforeItIsPosted() {
        assertThat(pair.left().context().supports(Feature.ATOMIC_WRITE)).isFalse();
        try (var batch = pair.left().queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.atomicWrite(1).remote(remote).post())
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("ATOMIC_WRITE");
        }
        CoverageReport.absent("ibv_wr_atomic_write", "rxe has it since 6.2");
    }

    @Test
    @Covers("ibv_wr_flush")
    void isAFlushThatIsRefusedBeforeItIsPosted() {
        assertThat(pair.left().context().supports(Feature.FLUSH_GLOBAL)).isFalse();
        try (var batch = pair.left().queuePair().beginSend()) {
            for (FlushType type : FlushType.values()) {
                assertThatThrownBy(() -> batch.flush(type, FlushLevel.RANGE).remote(remote).post())
                        .isInstanceOf(NotSupportedException.class)
                        .hasMessageContaining("FLUSH");
            }
        }
        CoverageReport.absent("ibv_wr_flush", "rxe has it since 6.2");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class PingPongPatternTest {
    private final MemorySegment memory = MemorySegment.ofArray(new byte[2 * 4096 + 1]);

    @Test
    void memoryThatNoMessageReachedHasNoMark() {
        PingPongPattern.clear(memory);

        assertThat(memory.get(ValueLayout.JAVA_BYTE, 4711)).isEqualTo((byte) 0x7b);
        assertThat(PingPongPattern.unmarkedPages(memory)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void markIsAZeroInTheFirstByteOfEachPage() {
        PingPongPattern.clear(memory);
        PingPongPattern.mark(memory);

        assertThat(PingPongPattern.unmarkedPages(memory)).isEmpty();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 0x7b);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 8192)).isZero();
    }

    @Test
    void wrongPageIsNamed() {
        PingPongPattern.mark(memory);
        memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 1);

        assertThat(PingPongPattern.unmarkedPages(memory)).containsExactly(1L);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZeroPagesTest {
    private static final int PAGE = 4096;
    private static final long LARGE = 1 << 28;

    @ParameterizedTest
    @ValueSource(longs = {1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1})
    void areZeroAndAligned(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = ZeroPages.allocate(bytes, arena);
            assertThat(memory.byteSize()).isEqualTo(bytes);
            assertThat(memory.address() % PAGE).isZero();
            assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
            memory.fill((byte) 1);
        }
    }

    /// Returns the pages of this process: mapped ones, and those in memory.
    private static long[] pages() throws IOException {
        return Stream.of(Files.readString(Path.of("/proc/self/statm")).split(" "))
                .limit(2)
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void takeMemoryWhenUsedAndAreUnmappedWithTheArena() throws IOException {
        long[] before = pages();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = ZeroPages.allocate(LARGE, arena);
            memory.set(ValueLayout.JAVA_BYTE, LARGE - 1, (byte) 1);
            long[] within = pages();
            assertThat(within[0] - before[0]).isGreaterThan(LARGE / 2 / PAGE);
            assertThat(within[1] - before[1]).isLessThan(LARGE / 2 / PAGE);
        }
        assertThat(pages()[0] - before[0]).isLessThan(LARGE / 2 / PAGE);
    }
}

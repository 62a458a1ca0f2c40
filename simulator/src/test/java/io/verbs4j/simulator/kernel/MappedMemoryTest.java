// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappedMemoryTest {
    private static final String MAPS = """
        00001000-00002000 rw-p 00000000 00:00 0 [heap]
        00002000-00003000 r--p 00000000 00:00 0 /file - of
        00003000-00004000 ---p 00000000 00:00 0
        00005000-00007000 rw-p 00000000 00:00 0
        00007000-00008000 -w-p 00000000 00:00 0
        7ffffffff000-ffff800000000000 rw-s 00000000 00:00 0
        ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0""";

    /// The numbers are in hexadecimal.
    @ParameterizedTest
    @CsvSource({
            "1000, 1000, true, true", "1fff, 1, true, true", "1000, 1001, true, false", "1000, 2000, true, false",
            "1000, 2001, false, false", "0fff, 1, false, false", "0fff, 2, false, false", "0, 0, true, true",
            "2000, 1000, true, false", "3000, 1, false, false", "4000, 1, false, false", "4fff, 2, false, false",
            "5000, 2000, true, true", "5001, 1fff, true, true", "5001, 2000, false, false", "7000, 1, false, false",
            "7ffffffff000, 2000, true, true", "ffffffffff600fff, 1, true, false",
            "ffffffffff600fff, 2, false, false", "ffffffffff601000, 1, false, false", "6fff, 0, true, true",
            "9000, 1, false, false"
    })
    void everyByteIsMapped(String start, String length, boolean readable, boolean writable) {
        long from = Long.parseUnsignedLong(start, 16);
        long bytes = Long.parseUnsignedLong(length, 16);
        assertThat(MappedMemory.holds(MAPS, from, bytes, false)).isEqualTo(readable);
        assertThat(MappedMemory.holds(MAPS, from, bytes, true)).isEqualTo(writable);
        assertThat(MappedMemory.holds(MAPS + "\n", from, bytes, false)).isEqualTo(readable);
    }

    @Test
    void nothingIsMappedInAnEmptyAddressSpace() {
        assertThat(MappedMemory.holds("", 0x1000, 1, false)).isFalse();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.os.RawMemory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The guards of the simulated rings detect accesses.
class FakeRingTest {
    private static final int SLOTS = 4;
    private static final int SHIFT = 7;
    private static final int BYTES = 384 + (SLOTS << SHIFT);

    @ParameterizedTest
    @ValueSource(ints = {-4096, -1, BYTES, BYTES + 4095})
    void aByteThatIsWrittenOutsideIsNoticed(int offset) {
        try (Arena arena = Arena.ofShared()) {
            FakeRing ring = FakeRing.empty(arena, SLOTS, SHIFT, 0);
            ring.assertGuardsUntouched();
            RawMemory.ALL.set(JAVA_BYTE, ring.memory().address() + offset, (byte) 0);
            assertThatThrownBy(ring::assertGuardsUntouched)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the ring");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BYTES - 1})
    void aByteOfTheRingIsNoGuard(int offset) {
        try (Arena arena = Arena.ofShared()) {
            FakeRing ring = FakeRing.empty(arena, SLOTS, SHIFT, 0);
            ring.memory().set(JAVA_BYTE, offset, (byte) 0);
            ring.assertGuardsUntouched();
        }
    }

    @Test
    void anIdentifierThatIsReadOutsideIsNobodys() {
        try (Arena arena = Arena.ofShared()) {
            FakeRing ring = FakeRing.empty(arena, SLOTS, SHIFT, 0);
            assertThat(RawMemory.ALL.get(JAVA_LONG, ring.memory().address() + BYTES)).isEqualTo(FakeRing.POISON_ID);
        }
    }
}

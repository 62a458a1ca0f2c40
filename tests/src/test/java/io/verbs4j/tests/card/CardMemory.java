// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Memory of the program as the card sees it: by address, in the order of the network.
final class CardMemory {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final VarHandle WORD = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle REGISTER = JAVA_LONG.varHandle();

    private CardMemory() {}

    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// Reads a word of a doorbell record; what was written before it is seen after it.
    static int record(long address, int word) {
        return (int) WORD.getAcquire(at(address, 8), 4L * word);
    }

    /// Takes the value written to a doorbell register since the last time.
    ///
    /// @return 0 if none was written
    static long take(MemorySegment page, long offset) {
        return (long) REGISTER.getAcquire(page, offset) == 0 ? 0 : (long) REGISTER.getAndSet(page, offset, 0L);
    }
}

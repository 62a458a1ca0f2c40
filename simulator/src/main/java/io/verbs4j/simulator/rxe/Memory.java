// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static io.verbs4j.abi.os.RawMemory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The process's memory by address, as a kernel accesses it. The caller guarantees that the address is mapped: it lies
/// in a ring of the simulation, or in a command that is being executed. Registered memory can be unmapped at any
/// moment: see [Region].
public final class Memory {
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private Memory() {}

    static int word(long address) {
        return ALL.get(INT, address);
    }

    static void word(long address, int value) {
        ALL.set(INT, address, value);
    }

    static long twoWords(long address) {
        return ALL.get(LONG, address);
    }

    static void twoWords(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static int octet(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address) & 0xff;
    }

    static void octet(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    /// Reads an index published by the other side of a ring.
    static int acquire(long address) {
        return (int) WORD.getAcquire(ALL, address);
    }

    /// Publishes an index.
    static void release(long address, int value) {
        WORD.setRelease(ALL, address, value);
    }

    static void read(long address, byte[] to, int at, int length) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, to, at, length);
    }

    static void copy(long from, long to, long length) {
        MemorySegment.copy(ALL, from, ALL, to, length);
    }

    /// Returns the memory at an address, such as a command's response.
    public static MemorySegment at(long address, long length) {
        return ALL.asSlice(address, length);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What Linux can forbid to a single thread, and to those that it starts: system calls and capabilities. One process
/// can so try many restrictions, each in a thread of its own. For x86-64.
final class ThreadRestriction {
    private static final int PRCTL = 157;
    private static final int CAPGET = 125;
    private static final int CAPSET = 126;
    private static final int SECCOMP = 317;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int SET_MODE_FILTER = 1;
    private static final int CAPABILITY_VERSION_3 = 0x2008_0522;
    private static final int MMAP = 9;

    private static final short LOAD_WORD = 0x20;
    private static final short JUMP_IF_EQUAL = 0x15;
    private static final short RETURN = 0x06;
    private static final int ALLOW = 0x7fff_0000;
    private static final int REFUSE = 0x0005_0000;
    /// Low half of the fifth argument in `struct seccomp_data`.
    private static final int DESCRIPTOR_OF_MMAP = 16 + 4 * Long.BYTES;

    @SuppressWarnings("restricted") // the system calls are what is tested
    private static final MethodHandle SYSCALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    private ThreadRestriction() {}

    /// Lets a system call of this thread fail from now on. Memory that Java maps for itself is left out.
    ///
    /// @param number of the system call
    /// @param errno what it returns, positive
    static void refuse(int number, int errno) {
        var program = ByteBuffer.allocate(6 * Long.BYTES).order(ByteOrder.nativeOrder());
        instruction(program, LOAD_WORD, 0, 0, 0);
        instruction(program, JUMP_IF_EQUAL, 0, 3, number);
        instruction(program, LOAD_WORD, 0, 0, DESCRIPTOR_OF_MMAP);
        instruction(program, JUMP_IF_EQUAL, number == MMAP ? 1 : 0, 0, -1);
        instruction(program, RETURN, 0, 0, REFUSE | errno);
        instruction(program, RETURN, 0, 0, ALLOW);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocate(program.capacity(), Long.BYTES);
            code.copyFrom(MemorySegment.ofArray(program.array()));
            MemorySegment header = arena.allocate(16, Long.BYTES);
            header.set(ValueLayout.JAVA_SHORT, 0, (short) 6);
            header.set(ValueLayout.ADDRESS, 8, code);
            call(PRCTL, NO_NEW_PRIVILEGES, 1, 0, 0, 0);
            call(SECCOMP, SET_MODE_FILTER, 0, header.address(), 0, 0);
        }
    }

    private static void instruction(ByteBuffer program, short code, int ifTrue, int ifFalse, int operand) {
        program.putShort(code).put((byte) ifTrue).put((byte) ifFalse).putInt(operand);
    }

    /// Takes a capability from this thread.
    static void drop(int capability) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(8, 4);
            header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION_3);
            MemorySegment sets = arena.allocate(24, 4);
            call(CAPGET, header.address(), sets.address(), 0, 0, 0);
            int half = capability / Integer.SIZE * 12;
            for (int set = half; set < half + 12; set += Integer.BYTES) {
                sets.set(ValueLayout.JAVA_INT, set,
                        sets.get(ValueLayout.JAVA_INT, set) & ~(1 << capability % Integer.SIZE));
            }
            call(CAPSET, header.address(), sets.address(), 0, 0, 0);
        }
    }

    private static void call(long number, long a, long b, long c, long d, long e) {
        try {
            long result = (long) SYSCALL.invokeExact(number, a, b, c, d, e);
            if (result != 0) {
                throw new IllegalStateException("system call " + number + " fails");
            }
        } catch (IllegalStateException failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
    }
}

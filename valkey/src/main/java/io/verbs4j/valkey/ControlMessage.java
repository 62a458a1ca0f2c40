// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The control messages: 32 bytes in network byte order. The first two bytes are the opcode (`ValkeyRdmaCmd`,
/// src/rdma.c of Valkey).
final class ControlMessage {
    static final int BYTES = 32;

    static final int GET_SERVER_FEATURE = 0;
    static final int SET_CLIENT_FEATURE = 1;
    static final int KEEP_ALIVE = 2;
    static final int REGISTER_MEMORY = 3;
    /// The number of opcodes.
    static final int KINDS = 4;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int OPCODE = 0;
    private static final int FEATURES = 24;
    private static final int ADDRESS = 16;
    private static final int LENGTH = 24;
    private static final int KEY = 28;

    private ControlMessage() {}

    /// Writes all messages that this end can send, one after another in the order of their opcodes. This end requests
    /// no features.
    ///
    /// @param memory the memory that the server may write to
    static void writeAll(MemorySegment to, RemoteMemory memory) {
        to.asSlice(0, KINDS * BYTES).fill((byte) 0);
        for (int opcode = 0; opcode < KINDS; opcode++) {
            to.set(SHORT, (long) opcode * BYTES + OPCODE, (short) opcode);
        }
        long register = (long) REGISTER_MEMORY * BYTES;
        to.set(LONG, register + ADDRESS, memory.address());
        to.set(INT, register + LENGTH, (int) memory.length());
        to.set(INT, register + KEY, memory.remoteKey());
    }

    static int opcode(MemorySegment message) {
        return Short.toUnsignedInt(message.get(SHORT, OPCODE));
    }

    /// Returns the features reported by the server.
    static long features(MemorySegment message) {
        return message.get(LONG, FEATURES);
    }

    /// Returns the memory announced by the server, unchecked.
    static RemoteMemory memory(MemorySegment message) {
        return new RemoteMemory(
                message.get(LONG, ADDRESS), Integer.toUnsignedLong(message.get(INT, LENGTH)), message.get(INT, KEY));
    }
}

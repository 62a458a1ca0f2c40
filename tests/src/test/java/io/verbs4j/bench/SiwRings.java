// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.Context;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;

/// siw's rings, with a flag in each element (include/uapi/rdma/siw-abi.h).
final class SiwRings extends NullCommands implements PlayedRings {
    private static final int DRIVER = 18;
    private static final int SLOTS = NullDevice.SLOTS;
    private static final int SQE = 120;
    private static final int RQE = 112;
    private static final int CQE = 32;
    private static final int FLAGS = 8;
    /// Flags, opcode, status and bytes of a completion in one word: valid, an RDMA write, well.
    private static final long WRITTEN = 1;
    private static final VarHandle SHORT = JAVA_SHORT.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final Arena arena = Arena.ofShared();
    private final Map<Long, MemorySegment> offers = new HashMap<>();
    private long nextOffset = 4096;
    private long sends;
    private long completions;
    private int taken;
    private int completed;

    @Override
    public Context open() {
        return OpenFile.as(this, DRIVER, 1, Transport.WRITE);
    }

    @Override
    public void start(QueuePair queuePair) {
        queuePair.noteState(QueuePairState.RTS); // as the connection manager does
    }

    @Override
    void answer(IbUserVerbsCmd command, MemorySegment core, MemorySegment answer) {
        switch (command.name()) {
            case "GET_CONTEXT" -> answer.set(JAVA_INT, 4, 1);
            case "QUERY_PORT" -> answer.set(JAVA_INT, 4, -1); // longest message
            case "CREATE_CQ" -> {
                answer.set(JAVA_INT, 4, SLOTS);
                answer.set(JAVA_INT, 12, SLOTS);
                completions = offer(answer, 16, CQE, 8);
                for (int i = 0; i < SLOTS; i++) {
                    at(completions + (long) i * CQE, CQE).set(JAVA_LONG, 0, i);
                }
            }
            case "CREATE_QP" -> {
                answer.set(JAVA_INT, 36, SLOTS);
                answer.set(JAVA_INT, 40, SLOTS);
                sends = offer(answer, 48, SQE, 0);
                offer(answer, 56, RQE, 0);
            }
            default -> {}
        }
    }

    /// Returns the address of a ring, after its offset was written into the answer.
    private long offer(MemorySegment answer, long at, int bytes, int more) {
        MemorySegment ring = arena.allocate((long) SLOTS * bytes + more, 4096);
        answer.set(JAVA_LONG, at, nextOffset);
        offers.put(nextOffset, ring);
        nextOffset += 4096;
        return ring.address();
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return offers.get(offset);
    }

    @Override
    public void take(int count) {
        for (int i = 0; i < count; i++) {
            SHORT.setRelease(ALL, sends + (taken++ & SLOTS - 1) * SQE + FLAGS & ADDRESSES, (short) 0);
        }
    }

    @Override
    public void complete(int count) {
        for (int i = 0; i < count; i++) {
            LONG.setRelease(ALL, completions + (completed++ & SLOTS - 1) * CQE + FLAGS & ADDRESSES, WRITTEN);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}

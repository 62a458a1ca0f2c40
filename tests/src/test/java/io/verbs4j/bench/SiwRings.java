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
import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// siw's rings, with a flag in each element (include/uapi/rdma/siw-abi.h).
final class SiwRings extends NullKernel implements PlayedRings {
    private static final int SLOTS = NullDevice.SLOTS;
    private static final int SQE = 120;
    private static final int RQE = 112;
    private static final int CQE = 32;
    private static final int FLAGS = 8;
    /// Flags, opcode, status and bytes of a completion in one word: valid, an RDMA write, well.
    private static final long WRITTEN = 1;
    private static final VarHandle SHORT = JAVA_SHORT.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private long sends;
    private long completions;
    private int taken;
    private int completed;

    SiwRings() {
        super(RdmaDriver.SIW);
        hasIoctl = false;
    }

    @Override
    public Context open() {
        return OpenFile.as(this, RdmaDriver.SIW, 1, Transport.WRITE);
    }

    @Override
    public void start(QueuePair queuePair) {
        queuePair.noteState(QueuePairState.RTS); // as the connection manager does
    }

    @Override
    void script(KernelCall call) {
        switch (call.operation()) {
            case "get context" -> call.response().set("num_comp_vectors", 1);
            case "query port" -> call.response().set("max_msg_sz", -1);
            case "create completion queue" -> {
                call.response().set("cqe", SLOTS);
                call.driverOut.set(JAVA_INT, 4, SLOTS);
                completions = offer(call, 8, CQE, 8);
                for (int i = 0; i < SLOTS; i++) {
                    at(completions + (long) i * CQE, CQE).set(JAVA_LONG, 0, i);
                }
            }
            case "create queue pair" -> {
                call.driverOut.set(JAVA_INT, 4, SLOTS);
                call.driverOut.set(JAVA_INT, 8, SLOTS);
                sends = offer(call, 16, SQE, 0);
                offer(call, 24, RQE, 0);
            }
            default -> {}
        }
    }

    /// Returns the address of a ring, after its offset was written into the answer.
    private long offer(KernelCall call, long at, int bytes, int more) {
        MemorySegment ring = arena.allocate((long) SLOTS * bytes + more, 4096);
        call.driverOut.set(JAVA_LONG, at, offer(ring));
        return ring.address();
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
}

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
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// mlx5's rings. A completion contains the block of its send, which frees its slots. This class answers our provider as
/// `provider-mlx5/src/test/oracle/kernel.c` answers libmlx5.
final class Mlx5Rings extends NullCommands implements PlayedRings {
    private static final int DRIVER = 1;
    private static final int NUMBER = 0x120;
    private static final int CQE = 64;
    private static final int OPCODE_AND_PAIR = 56;
    private static final int COUNTER_AND_OWNER = 60;
    private static final int WRITE = 0x08;
    private static final VarHandle INT = JAVA_INT.varHandle().withInvokeExactBehavior();

    private final Arena arena = Arena.ofShared();
    private long completions;
    private int entries;
    private int completed;

    @Override
    public Context open() {
        return OpenFile.as(this, DRIVER, 1, Transport.WRITE);
    }

    @Override
    public void start(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
    }

    @Override
    void answer(IbUserVerbsCmd command, MemorySegment core, MemorySegment answer) {
        switch (command.name()) {
            case "GET_CONTEXT" -> context(core.get(JAVA_INT, 8), answer);
            case "QUERY_PORT" -> answer.set(JAVA_INT, 4, 1 << 30); // longest message
            case "ALLOC_PD" -> answer.set(JAVA_INT, 4, 0x42);
            case "CREATE_CQ" -> {
                entries = core.get(JAVA_INT, 16) + 1;
                completions = core.get(JAVA_LONG, 32);
                answer.set(JAVA_INT, 4, entries - 1);
                answer.set(JAVA_INT, 8, 0x70);
                for (int i = 0; i < entries; i++) {
                    at(completions + (long) i * CQE, CQE)
                            .set(JAVA_INT, OPCODE_AND_PAIR, Integer.reverseBytes(WRITE << 24 | NUMBER));
                }
            }
            case "CREATE_QP" -> {
                answer.set(JAVA_INT, 4, NUMBER);
                MemorySegment.copy(core, 32, answer, 8, 20);
                answer.set(JAVA_INT, 32, 4);
            }
            default -> {}
        }
    }

    /// `struct mlx5_ib_alloc_ucontext_resp` (include/uapi/rdma/mlx5-abi.h) behind the kernel's own 8 bytes.
    private static void context(int registers, MemorySegment answer) {
        answer.set(JAVA_INT, 4, 1); // completion vectors
        MemorySegment driver = answer.asSlice(8);
        driver.set(JAVA_INT, 4, 512); // bf_reg_size
        driver.set(JAVA_INT, 8, registers); // tot_bfregs
        driver.set(JAVA_INT, 12, 64); // cache_line_size
        driver.set(JAVA_SHORT, 16, (short) 1024); // max_sq_desc_sz
        driver.set(JAVA_SHORT, 18, (short) 512); // max_rq_desc_sz
        driver.set(JAVA_INT, 20, 1 << 15); // max_send_wqebb
        driver.set(JAVA_INT, 24, 1 << 15); // max_recv_wr
        driver.set(JAVA_INT, 28, 1 << 15); // max_srq_recv_wr
        driver.set(JAVA_SHORT, 32, (short) 1); // num_ports
        driver.set(JAVA_INT, 60, 1); // num_uars_per_page
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return arena.allocate(length, 4096);
    }

    /// The completion does that.
    @Override
    public void take(int count) {}

    @Override
    public void complete(int count) {
        for (int i = 0; i < count; i++) {
            int owner = (completed & entries) == 0 ? 0 : 1;
            int word = Integer.reverseBytes((completed & 0xffff) << 16 | owner);
            long at = (completions & ADDRESSES) + (long) (completed & entries - 1) * CQE + COUNTER_AND_OWNER;
            INT.setRelease(ALL, at, word);
            completed++;
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}

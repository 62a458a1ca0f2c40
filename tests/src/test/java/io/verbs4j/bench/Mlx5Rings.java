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
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// mlx5's rings. A completion contains the block of its send, which frees its slots. This class answers our provider as
/// `provider-mlx5/src/test/oracle/kernel.c` answers libmlx5.
final class Mlx5Rings extends NullKernel implements PlayedRings {
    private static final int NUMBER = 0x120;
    private static final int CQE = 64;
    private static final int OPCODE_AND_PAIR = 56;
    private static final int COUNTER_AND_OWNER = 60;
    private static final int WRITE = 0x08;
    private static final VarHandle INT = JAVA_INT.varHandle().withInvokeExactBehavior();

    private long completions;
    private int entries;
    private int completed;

    Mlx5Rings() {
        super(RdmaDriver.MLX5);
        hasIoctl = false;
    }

    @Override
    public Context open() {
        return OpenFile.as(this, RdmaDriver.MLX5, 1, Transport.WRITE);
    }

    @Override
    public void start(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
    }

    @Override
    void script(KernelCall call) {
        switch (call.operation()) {
            case "get context" -> context(call);
            case "query port" -> call.response().set("max_msg_sz", 1 << 30);
            case "allocate protection domain" -> call.driverOut.set(JAVA_INT, 0, 0x42);
            case "create completion queue" -> {
                entries = (int) call.get("cqe") + 1;
                completions = call.driverIn.get(JAVA_LONG, 0);
                call.response().set("cqe", entries - 1);
                call.driverOut.set(JAVA_INT, 0, 0x70);
                for (int i = 0; i < entries; i++) {
                    at(completions + (long) i * CQE, CQE)
                            .set(JAVA_INT, OPCODE_AND_PAIR, Integer.reverseBytes(WRITE << 24 | NUMBER));
                }
            }
            case "create queue pair" -> {
                MemorySegment.copy(call.request, 32, call.response, 8, 20);
                call.response().set("qpn", NUMBER);
                call.driverOut.set(JAVA_INT, 0, 4);
            }
            default -> {}
        }
    }

    /// `struct mlx5_ib_alloc_ucontext_resp` (include/uapi/rdma/mlx5-abi.h).
    private static void context(KernelCall call) {
        call.response().set("num_comp_vectors", 1);
        MemorySegment driver = call.driverOut;
        driver.set(JAVA_INT, 4, 512); // bf_reg_size
        driver.set(JAVA_INT, 8, call.driverIn.get(JAVA_INT, 0)); // tot_bfregs
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
}

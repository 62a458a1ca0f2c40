// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.uapi.IbUverbsQueryPortRespEx;
import io.verbs4j.abi.uapi.RdmaDriver;
import java.lang.foreign.MemorySegment;

/// A device file without a device, with rings of 128 slots in the layout of `rdma_rxe` for queue pairs and completion
/// queues.
public final class NullDevice extends NullKernel {
    static final int SLOTS = 128;

    // struct rxe_queue_buf (include/uapi/rdma/rdma_user_rxe.h)
    static final long LOG2_ELEM_SIZE = 0;
    static final long INDEX_MASK = 4;
    static final long PRODUCER_INDEX = 128;
    static final long CONSUMER_INDEX = 256;
    static final long ELEMENTS = 384;

    static final int SEND_SHIFT = 8;
    static final int RECEIVE_SHIFT = 7;
    static final int COMPLETION_SHIFT = 7;

    /// The ring of the completion queue that was made last.
    MemorySegment completions = MemorySegment.NULL;

    /// The receive ring of the queue pair that was made last.
    MemorySegment receives = MemorySegment.NULL;

    /// The send ring of the queue pair that was made last.
    MemorySegment sends = MemorySegment.NULL;

    /// Without any ring yet.
    public NullDevice() {
        super(RdmaDriver.RXE);
    }

    @Override
    void script(KernelCall call) {
        switch (call.operation()) {
            case "get context" -> {
                if (call.method == GetContext.METHOD) {
                    call.out(GetContext.GET_CONTEXT_NUM_COMP_VECTORS, 1);
                }
            }
            case "query port" -> IbUverbsQueryPortRespEx.STRUCT
                    .view(call.memory(QueryPort.QUERY_PORT_RESP))
                    .set("legacy_resp.max_msg_sz", 8 << 20)
                    .set("legacy_resp.state", 4)
                    .set("legacy_resp.max_mtu", 5)
                    .set("legacy_resp.active_mtu", 3);
            case "create address handle" -> call.driverOut.set(JAVA_INT, 0, 1); // ah_num
            case "create completion queue" -> completions = offer(call.driverOut, 0, COMPLETION_SHIFT);
            case "create queue pair" -> {
                receives = offer(call.driverOut, 0, RECEIVE_SHIFT);
                sends = offer(call.driverOut, 16, SEND_SHIFT);
                int[] capabilities = {SLOTS - 1, SLOTS - 1, 3, 3, 48};
                MemorySegment room = call.memory(CreateQueuePair.CREATE_QP_RESP_CAP);
                MemorySegment.copy(capabilities, 0, room, JAVA_INT, 0, capabilities.length);
            }
            default -> {}
        }
    }

    private MemorySegment offer(MemorySegment answer, long at, int shift) {
        MemorySegment ring = arena.allocate(ELEMENTS + ((long) SLOTS << shift), 4096);
        ring.set(JAVA_INT, LOG2_ELEM_SIZE, shift);
        ring.set(JAVA_INT, INDEX_MASK, SLOTS - 1);
        answer.set(JAVA_LONG, at, offer(ring));
        answer.set(JAVA_INT, at + 8, (int) ring.byteSize());
        return ring;
    }
}

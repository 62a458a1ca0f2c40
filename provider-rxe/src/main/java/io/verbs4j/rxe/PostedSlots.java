// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.spi.RingEvent.Buffer;
import io.verbs4j.spi.RingEvent.CompletedRequest;
import io.verbs4j.spi.RingEvent.PostedRequest;
import io.verbs4j.spi.RingSlot;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Copies slots for ring listeners.
final class PostedSlots {
    private static final String LEFT_OVER = "left over from earlier work requests";
    private static final int RECEIVE = -1;
    private static final int WITH_INVALIDATE = 1 << 2;

    private PostedSlots() {}

    /// Decodes a send.
    static PostedRequest send(QueuePairType type, int slot, long address, byte[] bytes) {
        MemorySegment wqe = MemorySegment.ofArray(bytes);
        CStruct struct = RxeSendWqe.STRUCT;
        int opcode = number(wqe, struct, "wr.opcode");
        int length = number(wqe, struct, "dma.length");
        int elements = number(wqe, struct, "dma.num_sge");
        int flags = number(wqe, struct, "wr.send_flags");
        boolean inline = (flags & SendFlags.INLINE) != 0;
        RingSlot.Tail tail = opcode == WorkRequestOpcode.ATOMIC_WRITE
                ? new RingSlot.Tail.Data("atomic_wr", Long.BYTES, "the value to write")
                : inline ? new RingSlot.Tail.Data("inline_data", length, "the payload itself")
                        : new RingSlot.Tail.Elements("sge", RxeSge.STRUCT, elements);
        return new PostedRequest(
                wqe.get(JAVA_LONG_UNALIGNED, struct.offset("wr.wr_id")),
                opcode,
                Integer.toUnsignedLong(length),
                inline ? List.of() : buffers(wqe, RxeSendWqe.PAYLOAD, elements),
                inline ? 0 : elements,
                isWritten(opcode),
                (flags & SendFlags.SIGNALED) != 0,
                new RingSlot(slot, address, wqe.asReadOnly(), struct, arms(type, opcode), tail, LEFT_OVER));
    }

    /// Decodes a receive.
    static PostedRequest receive(int slot, long address, byte[] bytes) {
        MemorySegment wqe = MemorySegment.ofArray(bytes);
        CStruct struct = RxeRecvWqe.STRUCT;
        int elements = number(wqe, struct, "dma.num_sge");
        return new PostedRequest(
                wqe.get(JAVA_LONG_UNALIGNED, struct.offset("wr_id")),
                RECEIVE,
                Integer.toUnsignedLong(number(wqe, struct, "dma.length")),
                buffers(wqe, RxeRecvWqe.SGE, elements),
                elements,
                true,
                true,
                new RingSlot(slot, address, wqe.asReadOnly(), struct, Map.of(),
                        new RingSlot.Tail.Elements("sge", RxeSge.STRUCT, elements), LEFT_OVER));
    }

    /// Decodes a completion.
    static CompletedRequest completion(int slot, long address, byte[] bytes) {
        MemorySegment cqe = MemorySegment.ofArray(bytes);
        CStruct struct = RxeCqe.STRUCT;
        boolean invalidated = (number(cqe, struct, "wc_flags") & WITH_INVALIDATE) != 0;
        return new CompletedRequest(
                cqe.get(JAVA_LONG_UNALIGNED, struct.offset("wr_id")),
                number(cqe, struct, "qp_num"),
                number(cqe, struct, "status"),
                number(cqe, struct, "opcode"),
                Integer.toUnsignedLong(number(cqe, struct, "byte_len")),
                new RingSlot(slot, address, cqe.asReadOnly(), struct,
                        Map.of("ex", invalidated ? "invalidate_rkey" : "imm_data"), new RingSlot.Tail.None(),
                        "the kernel's own part of the slot"));
    }

    private static int number(MemorySegment slot, CStruct struct, String field) {
        return slot.get(JAVA_INT_UNALIGNED, struct.offset(field));
    }

    /// Returns the buffers that are within the slot.
    private static List<Buffer> buffers(MemorySegment wqe, long at, int elements) {
        var buffers = new ArrayList<Buffer>();
        for (long sge = at; buffers.size() < elements && sge + RxeSge.BYTES <= wqe.byteSize(); sge += RxeSge.BYTES) {
            buffers.add(new Buffer(
                    wqe.get(JAVA_LONG_UNALIGNED, sge),
                    Integer.toUnsignedLong(wqe.get(JAVA_INT_UNALIGNED, sge + RxeSge.STRUCT.offset("length"))),
                    wqe.get(JAVA_INT_UNALIGNED, sge + RxeSge.STRUCT.offset("lkey"))));
        }
        return buffers;
    }

    /// Returns the members of the unions that are in use.
    private static Map<String, String> arms(QueuePairType type, int opcode) {
        var arms = new HashMap<String, String>();
        boolean key = opcode == WorkRequestOpcode.LOCAL_INVALIDATE || opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE;
        arms.put("wr.ex", key ? "invalidate_rkey" : "imm_data");
        arms.put(
                "wr.wr",
                switch (opcode) {
                    case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD -> "atomic";
                    default -> type == QueuePairType.UD ? "ud" : PlainOperations.member(opcode);
                });
        return arms;
    }

    /// Returns whether the device writes to the local buffers.
    private static boolean isWritten(int opcode) {
        return switch (opcode) {
            case WorkRequestOpcode.RDMA_READ,
                    WorkRequestOpcode.COMPARE_AND_SWAP,
                    WorkRequestOpcode.FETCH_AND_ADD ->
                true;
            default -> false;
        };
    }
}

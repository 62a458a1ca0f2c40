// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.verbs4j.abi.trace.TracePart;
import io.verbs4j.abi.trace.Tracer;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// A work request as it lies in its slot when it is posted.
///
/// @param workRequestId the caller's identifier
/// @param text what it asks for, in short
/// @param length bytes of the message, or of the receive's buffers
/// @param receive whether it is a receive
/// @param mistake what will go wrong, as far as can be told now; empty if nothing
/// @param part the slot
record TracedWork(
        long workRequestId, String text, long length, boolean receive, String mistake, TracePart part) {
    /// A send.
    ///
    /// @param bytes the slot's
    static TracedWork send(Tracer tracer, QueuePairType type, int slot, long address, byte[] bytes) {
        MemorySegment wqe = MemorySegment.ofArray(bytes);
        int opcode = number(wqe, "wr.opcode");
        int flags = number(wqe, "wr.send_flags");
        int length = number(wqe, "dma.length");
        int elements = number(wqe, "dma.num_sge");
        long id = wqe.get(JAVA_LONG_UNALIGNED, RxeSendWqe.STRUCT.offset("wr.wr_id"));
        var builder = tracer.part("send WQE, slot " + slot, TracePart.Direction.TO_KERNEL, address, bytes)
                .struct(RxeSendWqe.STRUCT, arms(type, opcode));
        boolean inline = (flags & SendFlags.INLINE) != 0;
        if (opcode == WorkRequestOpcode.ATOMIC_WRITE) {
            builder.data("atomic_wr", Long.BYTES, "the value to write");
        } else if (inline) {
            builder.data("inline_data", length, "the payload itself");
        } else {
            builder.array("sge", RxeSge.STRUCT, elements);
        }
        String mistake = inline ? "" : buffers(tracer, wqe, RxeSendWqe.PAYLOAD, elements, isWritten(opcode));
        return new TracedWork(
                id,
                "wr_id " + id + " " + WorkRequestOpcode.name(opcode) + " " + Integer.toUnsignedString(length)
                        + " bytes",
                Integer.toUnsignedLong(length),
                false,
                mistake,
                builder.room("left over from earlier work requests").build());
    }

    /// A receive.
    ///
    /// @param bytes the slot's
    static TracedWork receive(Tracer tracer, int slot, long address, byte[] bytes) {
        MemorySegment wqe = MemorySegment.ofArray(bytes);
        long length = Integer.toUnsignedLong(wqe.get(JAVA_INT_UNALIGNED, RxeRecvWqe.STRUCT.offset("dma.length")));
        int elements = wqe.get(JAVA_INT_UNALIGNED, RxeRecvWqe.STRUCT.offset("dma.num_sge"));
        long id = wqe.get(JAVA_LONG_UNALIGNED, RxeRecvWqe.STRUCT.offset("wr_id"));
        var part = tracer.part("receive WQE, slot " + slot, TracePart.Direction.TO_KERNEL, address, bytes)
                .struct(RxeRecvWqe.STRUCT, Map.of())
                .array("sge", RxeSge.STRUCT, elements)
                .room("left over from earlier work requests")
                .build();
        return new TracedWork(
                id,
                "wr_id " + id + " receive " + length + " bytes",
                length,
                true,
                buffers(tracer, wqe, RxeRecvWqe.SGE, elements, true),
                part);
    }

    private static int number(MemorySegment wqe, String field) {
        return wqe.get(JAVA_INT_UNALIGNED, RxeSendWqe.STRUCT.offset(field));
    }

    /// Which arms of the unions count.
    private static Map<String, String> arms(QueuePairType type, int opcode) {
        var arms = new HashMap<String, String>();
        boolean key = opcode == WorkRequestOpcode.LOCAL_INVALIDATE || opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE;
        arms.put("wr.ex", key ? "invalidate_rkey" : "imm_data");
        arms.put(
                "wr.wr",
                switch (opcode) {
                    case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD -> "atomic";
                    case WorkRequestOpcode.BIND_MEMORY_WINDOW -> "mw";
                    case WorkRequestOpcode.FLUSH -> "flush";
                    default -> type == QueuePairType.UD ? "ud" : "rdma";
                });
        return arms;
    }

    /// Whether the device writes to the local buffers.
    private static boolean isWritten(int opcode) {
        return switch (opcode) {
            case WorkRequestOpcode.RDMA_READ,
                    WorkRequestOpcode.COMPARE_AND_SWAP,
                    WorkRequestOpcode.FETCH_AND_ADD ->
                true;
            default -> false;
        };
    }

    /// The first buffer that no region of the program covers.
    private static String buffers(Tracer tracer, MemorySegment wqe, long at, int elements, boolean written) {
        for (int i = 0; i < elements; i++) {
            long sge = at + i * RxeSge.BYTES;
            if (sge + RxeSge.BYTES > wqe.byteSize()) {
                return "num_sge=" + elements + " is more than the slot holds";
            }
            String mistake = tracer.checkBuffer(
                    wqe.get(JAVA_LONG_UNALIGNED, sge),
                    Integer.toUnsignedLong(wqe.get(JAVA_INT_UNALIGNED, sge + RxeSge.STRUCT.offset("length"))),
                    wqe.get(JAVA_INT_UNALIGNED, sge + RxeSge.STRUCT.offset("lkey")),
                    written);
            if (!mistake.isEmpty()) {
                return "sge[" + i + "]: " + mistake;
            }
        }
        return "";
    }

    /// Why it failed.
    String explain(CompletionStatus status) {
        if (!mistake.isEmpty()) {
            return text + ": " + mistake;
        }
        if (receive && (status.equals(CompletionStatus.LOCAL_QP_OPERATION_ERROR)
                || status.equals(CompletionStatus.LOCAL_LENGTH_ERROR))) {
            return text + ": the message was longer than these " + length + " bytes";
        }
        if (!receive && status.equals(CompletionStatus.REMOTE_OPERATION_ERROR)) {
            return text + ": the peer's receive has fewer than " + length + " bytes, or a buffer that is not its own";
        }
        return text + ": " + status.likelyCause();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.union;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;

/// `struct rxe_dma_info` (include/uapi/rdma/rdma_user_rxe.h): the payload of a work request, and the kernel's progress
/// in it. The struct is the end of a WQE's head. One of the three forms of payload follows the head.
///
/// `length` is the message's length. `resid`, `cur_sge` and `sge_offset` are a cursor that the kernel moves in place
/// (`copy_data`, rxe_mr.c). Therefore, a post must set the cursor to the start: `resid` equal to `length`, the others
/// 0.
final class RxeDmaInfo {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_dma_info",
            u32("length", "bytes of the message, or of the buffers"),
            u32("resid", "bytes still to move"),
            u32("cur_sge", "element that is being worked on"),
            u32("num_sge", "elements"),
            u32("sge_offset", "bytes done in it"),
            u32("reserved"),
            union(bytes("inline_data", 0), bytes("atomic_wr", 0), array("sge", 0, RxeSge.LAYOUT)));

    static final StructLayout LAYOUT = STRUCT.layout();

    /// Offset of the payload. The union of its three forms has no name in C, so the offset of one form is used.
    static final long PAYLOAD = LAYOUT.byteOffset(groupElement(6), groupElement("sge"));

    private RxeDmaInfo() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.u64;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_modify_srq_cmd` (include/uapi/rdma/rdma_user_rxe.h): rxe's part of the request when a shared receive
/// queue is modified (`rxe_modify_srq`, rxe_verbs.c). It contains the address to which a resize writes a [RxeMminfo].
/// Other commands return such data in the driver's part of the response. This command's response has no such part.
final class RxeModifySrqCmd {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_modify_srq_cmd",
            u64("mmap_info_addr", "where the kernel writes the mminfo of the resized ring"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final VarHandle MMAP_INFO_ADDR =
            LAYOUT.varHandle(groupElement("mmap_info_addr")).withInvokeExactBehavior();

    private RxeModifySrqCmd() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.uapi.CStruct;
import java.util.List;
import java.util.Map;

/// The C structs that this provider shares with the kernel, each field with its C name and meaning. Tests compare the
/// structs with the headers, or with a running kernel's type information. Tracers use the structs to print a ring's
/// contents field by field.
///
/// A union without a name in C has no name here.
public final class RxeStructs {
    static final String HEADER = "include/uapi/rdma/rdma_user_rxe.h";

    /// The response to the creation of a completion queue (`rxe_create_cq`, rxe_verbs.c).
    static final CStruct CREATE_CQ = CStruct.of(
            HEADER, "rxe_create_cq_resp", struct("mi", RxeMminfo.STRUCT, "completion ring"));

    /// The response to the resize of a completion queue (`rxe_resize_cq`, rxe_verbs.c): its new ring.
    static final CStruct RESIZE_CQ = CStruct.of(
            HEADER, "rxe_resize_cq_resp", struct("mi", RxeMminfo.STRUCT, "resized completion ring"));

    /// The response to the creation of a queue pair (`rxe_create_qp`, rxe_verbs.c). For a queue pair with a shared
    /// receive queue, the kernel does not write `rq_mi`.
    static final CStruct CREATE_QP = CStruct.of(
            HEADER,
            "rxe_create_qp_resp",
            struct("rq_mi", RxeMminfo.STRUCT, "receive ring"),
            struct("sq_mi", RxeMminfo.STRUCT, "send ring"));

    /// The response to the creation of a shared receive queue (`rxe_srq_from_init`, rxe_srq.c).
    static final CStruct CREATE_SRQ = CStruct.of(
            HEADER,
            "rxe_create_srq_resp",
            struct("mi", RxeMminfo.STRUCT, "shared receive ring"),
            u32("srq_num", "its number"),
            u32("reserved"));

    /// The request to modify a shared receive queue (`rxe_modify_srq`, rxe_verbs.c). Other commands return the mapping
    /// of a ring in the response; the response to this command has no driver-specific part.
    static final CStruct MODIFY_SRQ = CStruct.of(
            HEADER,
            "rxe_modify_srq_cmd",
            u64("mmap_info_addr", "where the kernel writes the mminfo of the resized ring"));

    /// The response to the creation of an address handle (`rxe_create_ah`, rxe_verbs.c).
    static final CStruct CREATE_AH = CStruct.of(
            HEADER,
            "rxe_create_ah_resp",
            u32("ah_num", "number by which a datagram refers to it"),
            u32("reserved"));

    private static final List<CStruct> ALL = List.of(
            RxeQueueBuf.STRUCT,
            RxeSendWqe.STRUCT,
            RxeSendWr.STRUCT,
            RxeRecvWqe.STRUCT,
            RxeDmaInfo.STRUCT,
            RxeSge.STRUCT,
            RxeAv.STRUCT,
            RxeCqe.STRUCT,
            RxeMminfo.STRUCT,
            CREATE_CQ,
            RESIZE_CQ,
            CREATE_QP,
            CREATE_SRQ,
            MODIFY_SRQ,
            CREATE_AH);

    /// The part of the ABI that rxe adds.
    static final DriverAbi ABI = new DriverAbi(
            "rdma_rxe",
            ALL,
            Map.of(ModifySharedReceiveQueue.SPECIFICATION, MODIFY_SRQ),
            Map.of(
                    CreateCompletionQueue.SPECIFICATION,
                    CREATE_CQ,
                    ResizeCompletionQueue.SPECIFICATION,
                    RESIZE_CQ,
                    CreateQueuePair.SPECIFICATION,
                    CREATE_QP,
                    CreateSharedReceiveQueue.SPECIFICATION,
                    CREATE_SRQ,
                    CreateAddressHandle.SPECIFICATION,
                    CREATE_AH),
            List.of(),
            Map.of("mmap_info_addr", RxeMminfo.STRUCT));

    private RxeStructs() {}

    /// Returns all structs.
    public static List<CStruct> all() {
        return ALL;
    }
}

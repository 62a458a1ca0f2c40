// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;

/// `struct ib_uverbs_wc` (include/uapi/rdma/ib_user_verbs.h): the first 48 bytes of an element of a completion ring.
///
/// The element is the kernel's `struct rxe_cqe` (rxe_verbs.h), a union of this struct and the kernel's larger
/// `struct ib_wc`. Therefore, the distance between two elements is not 48 bytes. As in every ring, `log2_elem_size` of
/// [RxeQueueBuf] determines the distance.
///
/// After a failure, rxe leaves all fields after `status` zero except `qp_num` (`make_send_cqe`, rxe_comp.c;
/// `do_complete`, rxe_resp.c). The bits of `wc_flags` are the kernel's own (`enum ib_wc_flags`): 4 means an invalidated
/// key. libibverbs uses 8 for the same meaning.
final class RxeCqe {
    static final CStruct STRUCT = CStruct.of(
            "include/uapi/rdma/ib_user_verbs.h",
            "ib_uverbs_wc",
            u64("wr_id", "of the work request"),
            u32("status", "IB_WC_*: 0 success"),
            u32("opcode", "IB_WC_*: what completed; 0 after an error"),
            u32("vendor_err", "always 0 on rxe"),
            u32("byte_len", "bytes of the message"),
            union("ex", be32("imm_data", "immediate data as it travelled"),
                    u32("invalidate_rkey", "key that was invalidated")),
            u32("qp_num", "our queue pair"),
            u32("src_qp", "the sender's queue pair; datagrams only"),
            u32("wc_flags", "1 GRH, 2 immediate data, 4 invalidated key"),
            u16("pkey_index"),
            u16("slid", "0 on RoCE"),
            u8("sl", "service level"),
            u8("dlid_path_bits", "0 on RoCE"),
            u8("port_num", "of receives"),
            u8("reserved"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final long BYTES = LAYOUT.byteSize();

    // The words from which io.verbs4j.spi.Completion is filled.
    static final long WR_ID = offset("wr_id");
    static final long STATUS_AND_OPCODE = offset("status");
    static final long ERROR_AND_LENGTH = offset("vendor_err");
    static final long DATA_AND_QUEUE_PAIR = offset("ex");
    static final long SOURCE_AND_FLAGS = offset("src_qp");
    static final long PATH = offset("pkey_index");

    private RxeCqe() {}

    private static long offset(String field) {
        return LAYOUT.byteOffset(groupElement(field));
    }
}

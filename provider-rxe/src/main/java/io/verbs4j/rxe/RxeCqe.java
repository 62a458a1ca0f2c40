// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// `struct ib_uverbs_wc` (include/uapi/rdma/ib_user_verbs.h): the first 48 bytes of an element of a completion ring.
///
/// The element is the kernel's `struct rxe_cqe` (rxe_verbs.h), a union with its own `struct ib_wc`, which is larger. So
/// the stride is not 48; like that of every ring it is `log2_elem_size` of [RxeQueueBuf].
///
/// With any status but success rxe leaves all behind `status` zero except `qp_num` (`make_send_cqe`, rxe_comp.c;
/// `do_complete`, rxe_resp.c). The bits of `wc_flags` are the kernel's own (`enum ib_wc_flags`): 4 says that a key was
/// invalidated, which in libibverbs is 8.
final class RxeCqe {
    static final StructLayout LAYOUT = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_INT.withName("status"),
            JAVA_INT.withName("opcode"),
            JAVA_INT.withName("vendor_err"),
            JAVA_INT.withName("byte_len"),
            unionLayout(
                    JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).withName("imm_data"),
                    JAVA_INT.withName("invalidate_rkey"))
                    .withName("ex"),
            JAVA_INT.withName("qp_num"),
            JAVA_INT.withName("src_qp"),
            JAVA_INT.withName("wc_flags"),
            JAVA_SHORT.withName("pkey_index"),
            JAVA_SHORT.withName("slid"),
            JAVA_BYTE.withName("sl"),
            JAVA_BYTE.withName("dlid_path_bits"),
            JAVA_BYTE.withName("port_num"),
            JAVA_BYTE.withName("reserved"))
            .withName("ib_uverbs_wc");

    static final VarHandle WR_ID = handle("wr_id");
    static final VarHandle STATUS = handle("status");
    static final VarHandle OPCODE = handle("opcode");
    static final VarHandle VENDOR_ERR = handle("vendor_err");
    static final VarHandle BYTE_LEN = handle("byte_len");
    /// Converts from big-endian, as it travelled.
    static final VarHandle IMM_DATA = ex("imm_data");

    static final VarHandle INVALIDATE_RKEY = ex("invalidate_rkey");
    static final VarHandle QP_NUM = handle("qp_num");
    static final VarHandle SRC_QP = handle("src_qp");
    static final VarHandle WC_FLAGS = handle("wc_flags");
    static final VarHandle PKEY_INDEX = handle("pkey_index");
    static final VarHandle SLID = handle("slid");
    static final VarHandle SL = handle("sl");
    static final VarHandle DLID_PATH_BITS = handle("dlid_path_bits");

    private RxeCqe() {}

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(groupElement(field)).withInvokeExactBehavior();
    }

    private static VarHandle ex(String arm) {
        return LAYOUT.varHandle(groupElement("ex"), groupElement(arm)).withInvokeExactBehavior();
    }
}

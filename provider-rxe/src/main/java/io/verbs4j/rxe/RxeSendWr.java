// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;

/// `struct rxe_send_wr` (include/uapi/rdma/rdma_user_rxe.h): what is asked for in a send WQE, its first 144 bytes.
/// Which arm of the union `wr` counts follows from `opcode`, and which meaning of `ex` too.
///
/// Beware of two neighbours: the remote key of a flush lies at 36 and that of a read or write at 32.
final class RxeSendWr {
    static final StructLayout LAYOUT = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_INT.withName("reserved"),
            JAVA_INT.withName("opcode"),
            JAVA_INT.withName("send_flags"),
            unionLayout(
                    JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).withName("imm_data"),
                    JAVA_INT.withName("invalidate_rkey"))
                    .withName("ex"),
            unionLayout(flush(), rdma(), atomic(), ud(), mw()).withName("wr"))
            .withName("rxe_send_wr");

    private RxeSendWr() {}

    private static StructLayout flush() {
        return structLayout(
                JAVA_LONG.withName("remote_addr"),
                JAVA_INT.withName("length"),
                JAVA_INT.withName("rkey"),
                JAVA_BYTE.withName("type"),
                JAVA_BYTE.withName("level"),
                paddingLayout(6).withName("hole"))
                .withName("flush");
    }

    private static StructLayout rdma() {
        return structLayout(
                JAVA_LONG.withName("remote_addr"), JAVA_INT.withName("rkey"), JAVA_INT.withName("reserved"))
                .withName("rdma");
    }

    private static StructLayout atomic() {
        return structLayout(
                JAVA_LONG.withName("remote_addr"),
                JAVA_LONG.withName("compare_add"),
                JAVA_LONG.withName("swap"),
                JAVA_INT.withName("rkey"),
                JAVA_INT.withName("reserved"))
                .withName("atomic");
    }

    private static StructLayout ud() {
        return structLayout(
                JAVA_INT.withName("remote_qpn"),
                JAVA_INT.withName("remote_qkey"),
                JAVA_SHORT.withName("pkey_index"),
                JAVA_SHORT.withName("reserved"),
                JAVA_INT.withName("ah_num"),
                sequenceLayout(4, JAVA_INT).withName("pad"),
                RxeAv.LAYOUT.withName("av"))
                .withName("ud");
    }

    private static StructLayout mw() {
        return structLayout(
                JAVA_LONG.withName("addr"),
                JAVA_LONG.withName("length"),
                JAVA_INT.withName("mr_lkey"),
                JAVA_INT.withName("mw_rkey"),
                JAVA_INT.withName("rkey"),
                JAVA_INT.withName("access"))
                .withName("mw");
    }
}

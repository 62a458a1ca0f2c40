// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.hole;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CStruct.Member;
import java.lang.foreign.StructLayout;

/// `struct rxe_send_wr` (include/uapi/rdma/rdma_user_rxe.h): the request in a send WQE, its first 144 bytes. `opcode`
/// determines which member of the union `wr` is in use, and the meaning of `ex`.
///
/// Note: the remote key of a flush is at offset 36, but the remote key of a read or write is at offset 32.
final class RxeSendWr {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_send_wr",
            u64("wr_id", "the caller's, copied to the completion"),
            u32("reserved", "never read"),
            u32("opcode", "IB_WR_*: which arm of wr counts"),
            u32("send_flags", "IB_SEND_*: 1 fence, 2 signaled, 4 solicited, 8 inline"),
            union("ex", be32("imm_data", "immediate data as it travels"), u32("invalidate_rkey", "key to invalidate")),
            union("wr", flush(), rdma(), atomic(), ud(), mw()).means("operands; the opcode selects the arm"));

    static final StructLayout LAYOUT = STRUCT.layout();

    private RxeSendWr() {}

    private static Member flush() {
        return struct(
                "flush",
                u64("remote_addr", "first byte to flush"),
                u32("length", "unused: the count is in dma.length"),
                u32("rkey", "the peer's key"),
                u8("type", "1 global visibility, 2 persistence"),
                u8("level", "0 the range, 1 the whole region"),
                hole(6));
    }

    private static Member rdma() {
        return struct("rdma", u64("remote_addr", "the peer's address"), u32("rkey", "the peer's key"), u32("reserved"));
    }

    private static Member atomic() {
        return struct(
                "atomic",
                u64("remote_addr", "the peer's address, a multiple of 8"),
                u64("compare_add", "what to compare with, or to add"),
                u64("swap", "what to store"),
                u32("rkey", "the peer's key"),
                u32("reserved"));
    }

    private static Member ud() {
        return struct(
                "ud",
                u32("remote_qpn", "destination queue pair"),
                u32("remote_qkey", "its Q_Key"),
                u16("pkey_index"),
                u16("reserved"),
                u32("ah_num", "the address handle's number"),
                array("pad", 4, JAVA_INT),
                struct("av", RxeAv.STRUCT, "read if ah_num is 0 only"));
    }

    private static Member mw() {
        return struct(
                "mw",
                u64("addr", "first byte of the window"),
                u64("length", "bytes"),
                u32("mr_lkey", "the region's key"),
                u32("mw_rkey", "the window's present key"),
                u32("rkey", "its key from then on"),
                u32("access", "IB_UVERBS_ACCESS_*"));
    }
}

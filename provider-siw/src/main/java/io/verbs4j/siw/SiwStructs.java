// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.CStruct;
import java.util.List;
import java.util.Map;

/// The structs of `include/uapi/rdma/siw-abi.h` (ABI 1, the same in Linux 6.1 to 7.2): siw's complete interface to
/// programs. A test compares the offsets with those of a C compiler.
///
/// A command must supply a buffer for the whole response. Otherwise, the command fails with `EINVAL`.
public final class SiwStructs {
    static final String HEADER = "include/uapi/rdma/siw-abi.h";

    /// Maximum number of buffers in an element (`SIW_MAX_SGE`).
    static final int MAX_SGE = 6;

    /// One local buffer of a work request.
    static final CStruct SGE = CStruct.of(
            HEADER,
            "siw_sge",
            u64("laddr", "first byte"),
            u32("length", "bytes"),
            u32("lkey", "the region's local key"));

    /// An element of a send ring.
    static final CStruct SQE = CStruct.of(
            HEADER,
            "siw_sqe",
            u64("id", "of the work request"),
            u16("flags", "1 valid, 2 inline, 4 signaled, 8 solicited, 16 read fence"),
            u8("num_sge", "buffers"),
            u8("opcode", "0 write, 1 read, 3 send, 5 send with invalidation"),
            u32("rkey", "the peer's key, or the key to invalidate"),
            union(u64("raddr", "the peer's address"), u64("base_mr", "the kernel's own")),
            union(array("sge", MAX_SGE, SGE.layout()).means("buffers; inline data stand from the second on"),
                    u64("access", "the kernel's own")));

    /// An element of a receive ring, of a queue pair or shared.
    static final CStruct RQE = CStruct.of(
            HEADER,
            "siw_rqe",
            u64("id", "of the work request"),
            u16("flags", "1 valid; any other bit makes the receive fail"),
            u8("num_sge", "buffers"),
            u8("opcode", "the kernel's own"),
            u32("unused"),
            array("sge", MAX_SGE, SGE.layout()).means("buffers"));

    /// An element of a completion ring.
    static final CStruct CQE = CStruct.of(
            HEADER,
            "siw_cqe",
            u64("id", "of the work request"),
            u8("flags", "1 valid, 32 the peer invalidated a key"),
            u8("opcode", "as in a work request; 8 receive"),
            u16("status", "SIW_WC_*: 0 success"),
            u32("bytes", "of the message"),
            union(u64("imm_data", "never set"), u32("inval_stag", "the key that was invalidated")),
            union(u64("base_qp", "the kernel's own"), u64("qp_id", "number of our queue pair")));

    /// The word after the last completion, which arms a queue.
    static final CStruct CQ_CTRL = CStruct.of(
            HEADER, "siw_cq_ctrl", u32("flags", "1 solicited completions raise an event, 2 others, too"), u32("pad"));

    /// The response to the creation of a context.
    static final CStruct ALLOC_CTX = CStruct.of(HEADER, "siw_uresp_alloc_ctx", u32("dev_id"), u32("pad"));

    /// The driver's request for the registration of memory.
    static final CStruct REG_MR_REQUEST = CStruct.of(
            HEADER,
            "siw_ureq_reg_mr",
            u8("stag_key", "lowest 8 bits of the keys"),
            bytes("reserved", 3),
            u32("pad"));

    /// The response to the registration of memory.
    static final CStruct REG_MR = CStruct.of(HEADER, "siw_uresp_reg_mr", u32("stag", "both keys"), u32("pad"));

    /// The response to the creation of a completion queue.
    static final CStruct CREATE_CQ = CStruct.of(
            HEADER,
            "siw_uresp_create_cq",
            u32("cq_id"),
            u32("num_cqe", "slots"),
            u64("cq_key", "the kernel's token for the ring: the offset to give to mmap"));

    /// The response to the creation of a queue pair.
    static final CStruct CREATE_QP = CStruct.of(
            HEADER,
            "siw_uresp_create_qp",
            u32("qp_id", "the queue pair's number"),
            u32("num_sqe", "slots of the send ring"),
            u32("num_rqe", "slots of the receive ring"),
            u32("pad"),
            u64("sq_key", "the kernel's token for the send ring: the offset to give to mmap"),
            u64("rq_key", "likewise for the receive ring; 0x90000 if there is none"));

    /// The response to the creation of a shared receive queue.
    static final CStruct CREATE_SRQ = CStruct.of(
            HEADER,
            "siw_uresp_create_srq",
            u32("num_rqe", "slots"),
            u32("pad"),
            u64("srq_key", "the kernel's token for the ring: the offset to give to mmap"));

    private static final List<CStruct> ALL = List.of(
            SGE, SQE, RQE, CQE, CQ_CTRL, ALLOC_CTX, REG_MR_REQUEST, REG_MR, CREATE_CQ, CREATE_QP, CREATE_SRQ);

    /// The part of the ABI that siw adds.
    static final DriverAbi ABI = new DriverAbi(
            "siw",
            ALL,
            Map.of(RegisterMemory.SPECIFICATION, REG_MR_REQUEST),
            Map.of(
                    GetContext.SPECIFICATION,
                    ALLOC_CTX,
                    RegisterMemory.SPECIFICATION,
                    REG_MR,
                    CreateCompletionQueue.SPECIFICATION,
                    CREATE_CQ,
                    CreateQueuePair.SPECIFICATION,
                    CREATE_QP,
                    CreateSharedReceiveQueue.SPECIFICATION,
                    CREATE_SRQ),
            List.of(),
            Map.of());

    private SiwStructs() {}

    /// Returns all structs.
    public static List<CStruct> all() {
        return ALL;
    }
}

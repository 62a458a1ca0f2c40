// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// Offsets in an element of a send ring (`struct rxe_send_wqe`), and the states that the kernel sets.
final class SendElement {
    static final long WR_ID = Formats.SEND.offset("wr.wr_id");
    static final long OPCODE = Formats.SEND.offset("wr.opcode");
    static final long FLAGS = Formats.SEND.offset("wr.send_flags");
    static final long DATA = Formats.SEND.offset("wr.ex.imm_data");
    static final long REMOTE_ADDRESS = Formats.SEND.offset("wr.wr.rdma.remote_addr");
    static final long RKEY = Formats.SEND.offset("wr.wr.rdma.rkey");
    static final long COMPARE_OR_ADD = Formats.SEND.offset("wr.wr.atomic.compare_add");
    static final long SWAP = Formats.SEND.offset("wr.wr.atomic.swap");
    static final long ATOMIC_RKEY = Formats.SEND.offset("wr.wr.atomic.rkey");
    static final long FLUSH_RKEY = Formats.SEND.offset("wr.wr.flush.rkey");
    static final long FLUSH_TYPE = Formats.SEND.offset("wr.wr.flush.type");
    static final long FLUSH_LEVEL = Formats.SEND.offset("wr.wr.flush.level");
    static final long REMOTE_QUEUE_PAIR = Formats.SEND.offset("wr.wr.ud.remote_qpn");
    static final long REMOTE_QKEY = Formats.SEND.offset("wr.wr.ud.remote_qkey");
    static final long ADDRESS_HANDLE = Formats.SEND.offset("wr.wr.ud.ah_num");
    static final long WINDOW_ADDRESS = Formats.SEND.offset("wr.wr.mw.addr");
    static final long WINDOW_LENGTH = Formats.SEND.offset("wr.wr.mw.length");
    static final long WINDOW_REGION = Formats.SEND.offset("wr.wr.mw.mr_lkey");
    static final long WINDOW_KEY = Formats.SEND.offset("wr.wr.mw.mw_rkey");
    static final long WINDOW_NEW_KEY = Formats.SEND.offset("wr.wr.mw.rkey");
    static final long WINDOW_ACCESS = Formats.SEND.offset("wr.wr.mw.access");
    static final long STATUS = Formats.SEND.offset("status");
    static final long STATE = Formats.SEND.offset("state");
    static final long IOVA = Formats.SEND.offset("iova");
    static final long FIRST_PSN = Formats.SEND.offset("first_psn");
    static final long LAST_PSN = Formats.SEND.offset("last_psn");
    static final long HAS_CREDIT = Formats.SEND.offset("has_rd_atomic");
    static final long DMA = Formats.SEND.offset("dma");
    static final long LENGTH = Formats.SEND.offset("dma.length");
    static final long LEFT = Formats.SEND.offset("dma.resid");
    static final long ELEMENT = Formats.SEND.offset("dma.cur_sge");
    static final long ELEMENTS = Formats.SEND.offset("dma.num_sge");
    static final long OFFSET = Formats.SEND.offset("dma.sge_offset");
    static final long PAYLOAD = Formats.SEND.size();

    static final int POSTED = 0;
    static final int PROCESSING = 1;
    static final int PENDING = 2;
    static final int DONE = 3;
    static final int ERROR = 4;

    private SendElement() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.mlx5.Mlx5Structs;
import io.verbs4j.spi.ProviderContext;

/// The parts that the card's driver adds to requests and answers, and the name and limits of the card.
final class CardStructs {
    private static final int VENDOR = 0x2c9;
    /// ConnectX-5.
    private static final int PART = 4119;

    static final CStruct CREATE_CQ = struct("mlx5_ib_create_cq");
    static final CStruct RESIZE_CQ = struct("mlx5_ib_resize_cq");
    static final CStruct CREATE_SRQ = struct("mlx5_ib_create_srq");
    static final CStruct CREATE_QP = struct("mlx5_ib_create_qp");

    private CardStructs() {}

    private static CStruct struct(String name) {
        return Mlx5Structs.commands()
                .stream()
                .filter(struct -> struct.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Puts the card's name in place of rxe's, where an answer has one.
    static void name(KernelCall call) {
        if (call.specification() == QueryDevice.SPECIFICATION) {
            String prefix = call.command == QueryDevice.WRITE ? "" : "base.";
            call.response().set(prefix + "vendor_id", VENDOR).set(prefix + "vendor_part_id", PART);
        }
    }

    static void answerContext(KernelCall call, ProviderContext rxe) {
        call.response()
                .set("async_fd", rxe.asyncEvents().fileDescriptor())
                .set("num_comp_vectors", rxe.completionVectors());
        struct("mlx5_ib_alloc_ucontext_resp")
                .view(call.driverOut)
                .set("bf_reg_size", 512)
                .set("tot_bfregs", 16)
                .set("cache_line_size", 64)
                .set("max_sq_desc_sz", 1024)
                .set("max_rq_desc_sz", 512)
                .set("max_send_wqebb", 32768)
                .set("max_recv_wr", 32768)
                .set("max_srq_recv_wr", 32767)
                .set("num_ports", 1)
                .set("num_uars_per_page", 1);
    }
}

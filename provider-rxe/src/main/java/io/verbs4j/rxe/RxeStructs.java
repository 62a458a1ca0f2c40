// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.uapi.CStruct;
import java.util.List;
import java.util.Map;

/// The C structs that this provider shares with the kernel, each field with its C name and meaning: for
/// tests that compare them with the headers or with a running kernel's type information, and for tracers that print a
/// ring's contents field by field.
///
/// A union that has no name in C has none here.
public final class RxeStructs {
    static final String HEADER = "include/uapi/rdma/rdma_user_rxe.h";

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
            RxeCreateCqResp.STRUCT,
            RxeResizeCqResp.STRUCT,
            RxeCreateQpResp.STRUCT,
            RxeCreateSrqResp.STRUCT,
            RxeModifySrqCmd.STRUCT,
            RxeCreateAhResp.STRUCT);

    /// What rxe adds to the ABI.
    static final DriverAbi ABI = new DriverAbi(
            "rdma_rxe",
            ALL,
            Map.of(Verb.MODIFY_SHARED_RECEIVE_QUEUE, RxeModifySrqCmd.STRUCT),
            Map.of(
                    Verb.CREATE_COMPLETION_QUEUE,
                    RxeCreateCqResp.STRUCT,
                    Verb.RESIZE_COMPLETION_QUEUE,
                    RxeResizeCqResp.STRUCT,
                    Verb.CREATE_QUEUE_PAIR,
                    RxeCreateQpResp.STRUCT,
                    Verb.CREATE_SHARED_RECEIVE_QUEUE,
                    RxeCreateSrqResp.STRUCT,
                    Verb.CREATE_ADDRESS_HANDLE,
                    RxeCreateAhResp.STRUCT),
            Map.of("mmap_info_addr", RxeMminfo.STRUCT));

    private RxeStructs() {}

    /// All structs.
    public static List<CStruct> all() {
        return ALL;
    }
}

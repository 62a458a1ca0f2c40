// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

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

    /// The part of the ABI that rxe adds.
    static final DriverAbi ABI = new DriverAbi(
            "rdma_rxe",
            ALL,
            Map.of(ModifySharedReceiveQueue.SPECIFICATION, RxeModifySrqCmd.STRUCT),
            Map.of(
                    CreateCompletionQueue.SPECIFICATION,
                    RxeCreateCqResp.STRUCT,
                    ResizeCompletionQueue.SPECIFICATION,
                    RxeResizeCqResp.STRUCT,
                    CreateQueuePair.SPECIFICATION,
                    RxeCreateQpResp.STRUCT,
                    CreateSharedReceiveQueue.SPECIFICATION,
                    RxeCreateSrqResp.STRUCT,
                    CreateAddressHandle.SPECIFICATION,
                    RxeCreateAhResp.STRUCT),
            List.of(),
            Map.of("mmap_info_addr", RxeMminfo.STRUCT));

    private RxeStructs() {}

    /// Returns all structs.
    public static List<CStruct> all() {
        return ALL;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.CStruct;
import java.util.List;

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

    private RxeStructs() {}

    /// All structs.
    public static List<CStruct> all() {
        return ALL;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.union;

import java.lang.foreign.ValueLayout;

/// `struct rdma_ucm_event_resp` (include/uapi/rdma/rdma_user_cm.h): an event: the response to
/// `RDMA_USER_CM_CMD_GET_EVENT`.
public final class RdmaUcmEventResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_event_resp",
            u64("uid", "number of the identifier, or of the membership, in events"),
            u32("id", "the identifier; for a connect request, the new one"),
            u32("event", "RDMA_CM_EVENT_*"),
            u32("status", "0, a negated errno, or the reason of a rejection"),
            union("param", struct("conn", RdmaUcmConnParam.STRUCT, "for connections"),
                    struct("ud", RdmaUcmUdParam.STRUCT, "for datagrams"),
                    array("arg32", 2, ValueLayout.JAVA_INT).means("for events that a program wrote")),
            u32("reserved"),
            struct("ece", RdmaUcmEce.STRUCT));

    private RdmaUcmEventResp() {}
}

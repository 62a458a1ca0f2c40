// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.union;

/// `struct rdma_ucm_write_cm_event` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_WRITE_CM_EVENT`.
public final class RdmaUcmWriteCmEvent {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_write_cm_event",
            u32("id"),
            u32("reserved"),
            u32("event", "RDMA_CM_EVENT_USER"),
            u32("status"),
            union("param", struct("conn", RdmaUcmConnParam.STRUCT), struct("ud", RdmaUcmUdParam.STRUCT),
                    u64("arg", "copied to the event")));

    private RdmaUcmWriteCmEvent() {}
}

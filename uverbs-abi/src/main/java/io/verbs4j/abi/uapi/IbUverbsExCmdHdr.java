// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_ex_cmd_hdr` (include/uapi/rdma/ib_user_verbs.h): the second header of an extended `write()`
/// command. Written by user space.
public final class IbUverbsExCmdHdr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_cmd_hdr",
            u64("response", "address of the response buffer; 0 if there is none"),
            u16("provider_in_words", "bytes of the driver's request, in units of 8"),
            u16("provider_out_words", "size of the driver's response buffer, in units of 8"),
            u32("cmd_hdr_reserved", "0, otherwise EINVAL"));

    private IbUverbsExCmdHdr() {}
}

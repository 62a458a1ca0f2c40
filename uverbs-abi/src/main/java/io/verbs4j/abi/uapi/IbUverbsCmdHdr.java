// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_cmd_hdr` (include/uapi/rdma/ib_user_verbs.h): the header of every `write()` command. Written by
/// user space.
public final class IbUverbsCmdHdr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_cmd_hdr",
            u32("command", "IbUserVerbsCmd number; bit 31 marks an extended command"),
            u16("in_words",
                    "plain: all bytes written, in units of 4; extended: bytes of the core request, in units of 8"),
            u16("out_words",
                    "size of the response buffer: plain: core and driver, in units of 4; extended: core, in units of"
                            + " 8"));

    private IbUverbsCmdHdr() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct ib_uverbs_attr` (include/uapi/rdma/rdma_user_ioctl_cmds.h): one argument of an ioctl command. Written by
/// user space; the kernel writes handles of new objects into `data`, and [#VALID_OUTPUT] into `flags`.
public final class IbUverbsAttr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_IOCTL_CMDS,
            "ib_uverbs_attr",
            u16("attr_id", "the argument: UverbsAttribute"),
            u16("len", "bytes of the payload; 0 for handles and file descriptors"),
            u16("flags", "bits MANDATORY and VALID_OUTPUT"),
            union(
                    "attr_data",
                    struct("enum_data", u8("elem_id", "the value of an enum argument; otherwise 0"), u8("reserved")),
                    u16("reserved")),
            union(u64("data", "a pointer, up to 8 bytes of payload, a handle or a file descriptor"), u64("data_s64")));

    /// `UVERBS_ATTR_F_MANDATORY`, set by user space: a kernel that does not support the attribute must refuse the
    /// command (EPROTONOSUPPORT) instead of ignoring the attribute.
    public static final int MANDATORY = 1;

    /// `UVERBS_ATTR_F_VALID_OUTPUT`, set by the kernel: it wrote this output.
    public static final int VALID_OUTPUT = 1 << 1;

    private static final long ID = STRUCT.offset("attr_id");
    private static final long LENGTH = STRUCT.offset("len");
    private static final long FLAGS = STRUCT.offset("flags");
    private static final long DATA = STRUCT.offset("data");

    private IbUverbsAttr() {}

    /// Writes a mandatory argument. Every command consists of about ten of them, so the fields are not looked up by
    /// name.
    ///
    /// @param memory all zero from the offset on
    /// @param at the offset
    public static void write(MemorySegment memory, long at, int id, int length, long data) {
        memory.set(ValueLayout.JAVA_SHORT, at + ID, (short) id);
        memory.set(ValueLayout.JAVA_SHORT, at + LENGTH, (short) length);
        memory.set(ValueLayout.JAVA_SHORT, at + FLAGS, (short) MANDATORY);
        memory.set(ValueLayout.JAVA_LONG, at + DATA, data);
    }
}

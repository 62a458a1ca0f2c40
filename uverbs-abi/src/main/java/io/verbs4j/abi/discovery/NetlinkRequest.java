// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.NetlinkFlags;
import io.verbs4j.abi.uapi.RdmaNldev;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A message to RDMA netlink: a header, and attributes that start at multiples of 4.
final class NetlinkRequest {
    private static final int MAX_BYTES = 512;
    private static final int HEAD = LinuxStructs.NLMSGHDR.size();
    private static final int ATTRIBUTE_HEAD = LinuxStructs.NLATTR.size();

    private final MemorySegment memory;
    private int length = HEAD;

    private NetlinkRequest(Arena arena) {
        memory = arena.allocate(MAX_BYTES, Long.BYTES);
    }

    /// @param command one of [RdmaNldev]
    /// @param all whether a list is requested
    static NetlinkRequest of(Arena arena, int command, boolean all) {
        var request = new NetlinkRequest(arena);
        LinuxStructs.NLMSGHDR
                .view(request.memory)
                .set("nlmsg_type", RdmaNldev.messageType(command))
                .set(
                        "nlmsg_flags",
                        NetlinkFlags.NLM_F_REQUEST
                                | NetlinkFlags.NLM_F_ACK
                                | (all ? NetlinkFlags.NLM_F_DUMP : 0));
        return request;
    }

    NetlinkRequest number(int attribute, int value) {
        payload(attribute, Integer.BYTES).set(ValueLayout.JAVA_INT, 0, value);
        return this;
    }

    NetlinkRequest text(int attribute, String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length + 1;
        payload(attribute, bytes).setString(0, value);
        return this;
    }

    private MemorySegment payload(int attribute, int bytes) {
        MemorySegment start = memory.asSlice(length);
        LinuxStructs.NLATTR.view(start).set("nla_len", ATTRIBUTE_HEAD + bytes).set("nla_type", attribute);
        length = Math.addExact(length, NetlinkAnswer.aligned(ATTRIBUTE_HEAD + bytes));
        return start.asSlice(ATTRIBUTE_HEAD, bytes);
    }

    /// Completes the message.
    ///
    /// @param sequence repeated in the responses
    MemorySegment finish(int sequence) {
        LinuxStructs.NLMSGHDR.view(memory).set("nlmsg_len", length).set("nlmsg_seq", sequence);
        return memory.asSlice(0, length);
    }
}

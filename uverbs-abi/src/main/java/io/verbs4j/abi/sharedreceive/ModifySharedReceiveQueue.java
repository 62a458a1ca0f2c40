// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sharedreceive;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Resizes a shared receive queue or arms its limit, by write command 33, which has no response; it has no native
/// method.
///
/// rxe always requires 8 bytes of driver-specific request: the address of a `struct mminfo`, in which the kernel
/// reports the new ring after a resize.
///
/// @see "ibv_modify_srq(3)"
public final class ModifySharedReceiveQueue {
    /// `struct ib_uverbs_modify_srq`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_modify_srq",
            u32("srq_handle"),
            u32("attr_mask", "1 max_wr, 2 srq_limit"),
            u32("max_wr"),
            u32("srq_limit"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(33, "MODIFY_SRQ", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("modify shared receive queue")
            .write(WRITE, "2.6.14")
            .changes(UverbsObject.SRQ)
            .cause(Errno.EINVAL,
                    "a size above the device's limit or below the number of waiting receives, a limit above the size,"
                            + " or a queue in error");

    /// `IB_SRQ_MAX_WR`: another size.
    public static final int MAX_WORK_REQUESTS = 1;
    /// `IB_SRQ_LIMIT`: arm the limit event.
    public static final int LIMIT = 1 << 1;

    private ModifySharedReceiveQueue() {}

    /// Changes the queue.
    ///
    /// @param handle the queue's handle
    /// @param mask the parts to change: bits of [#MAX_WORK_REQUESTS] and [#LIMIT]
    /// @param maxWorkRequests receives that the queue must hold
    /// @param limit number of waiting receives below which an event is raised once
    public static void execute(
            CommandChannel channel, int handle, int mask, int maxWorkRequests, int limit, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            int result = WriteCommand.of(arena, SPECIFICATION)
                    .set("srq_handle", handle)
                    .set("attr_mask", mask)
                    .set("max_wr", maxWorkRequests)
                    .set("srq_limit", limit)
                    .driver(driver)
                    .execute(channel);
            SPECIFICATION.check(result);
        }
    }
}

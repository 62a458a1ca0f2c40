// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Changes the size of a completion queue, by the write command 19; it has no native method.
///
/// The kernel creates a new ring and moves the waiting completions to its start; the old ring is no longer used. No
/// thread may poll meanwhile, and the caller maps the new ring afterwards.
///
/// @see "ibv_resize_cq(3)"
public final class ResizeCompletionQueue {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_resize_cq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("cq_handle"),
            u32("cqe", "requested entries"));
    /// `struct ib_uverbs_resize_cq_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_resize_cq_resp",
            u32("cqe", "actual entries"),
            u32("reserved"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(19, "RESIZE_CQ", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("resize completion queue")
            .write(WRITE, "2.6.17")
            .changes(UverbsObject.CQ)
            .causes(GeneralCauses.OF_COMPLETION_QUEUES)
            .cause(Errno.EINVAL,
                    "no entries, more than the device's limit (max_cqe of query device), or fewer than the waiting"
                            + " completions");

    private ResizeCompletionQueue() {}

    /// Changes the capacity.
    ///
    /// @param handle the queue's handle
    /// @param entries completions that the queue must hold
    /// @param driver contains the buffer in which the driver reports the new ring
    /// @return capacity reported by the kernel
    public static int execute(CommandChannel channel, int handle, int entries, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("cq_handle", handle)
                    .set("cqe", entries)
                    .driver(driver);
            SPECIFICATION.check(command.execute(channel));
            return command.response().getInt("cqe");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsModifyQp;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import java.lang.foreign.Arena;

/// Changes attributes of a queue pair, mainly its state, by write command 26, which has no response; it has no native
/// method. A driver-specific part requires the extended command 26.
///
/// The state machine determines the required and permitted attributes of a transition. The kernel checks them against
/// its table (`qp_state_table`, drivers/infiniband/core/verbs.c) and returns `EINVAL` without naming them. On RoCE, the
/// kernel resolves the peer's Ethernet address during the transition to RTR, which may take a second and fail with
/// `ETIMEDOUT`.
///
/// @see "ibv_modify_qp(3)"
public final class ModifyQueuePair {
    private static final CStruct EXTENDED_REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_modify_qp",
            struct("base", IbUverbsModifyQp.STRUCT),
            u32("rate_limit", "kbit/s, with bit 25 of the mask"),
            u32("reserved", "0, otherwise EINVAL"));
    private static final CStruct EXTENDED_RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_modify_qp_resp",
            u32("comp_mask"),
            u32("response_length"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(26, "MODIFY_QP", IbUverbsModifyQp.STRUCT);
    /// The extended write command.
    public static final IbUserVerbsCmd EXTENDED_WRITE =
            IbUserVerbsCmd.ofExtended(26, "MODIFY_QP", EXTENDED_REQUEST, EXTENDED_RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("modify queue pair")
            .write(WRITE, "2.6.14")
            .write(EXTENDED_WRITE, "4.11")
            .changes(UverbsObject.QP)
            .causes(GeneralCauses.OF_PATHS)
            .cause(Errno.EINVAL,
                    "attributes that the transition does not allow, missing attributes, a value out of range, or a"
                            + " path whose source and destination are of different IP families");

    private ModifyQueuePair() {}

    /// Changes attributes.
    ///
    /// @param handle the queue pair's handle
    /// @param attributes the attributes in the mask are changed
    public static void execute(CommandChannel channel, int handle, QueuePairAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION);
            IbUverbsModifyQp.write(command.request().memory(), handle, attributes);
            SPECIFICATION.check(command.execute(channel));
        }
    }

    /// Changes attributes, with a driver-specific part.
    public static void execute(
            CommandChannel channel, int handle, QueuePairAttributes attributes, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION, EXTENDED_WRITE)
                    .driver(driver);
            IbUverbsModifyQp.write(command.request().slice("base"), handle, attributes);
            SPECIFICATION.check(command.execute(channel));
        }
    }
}

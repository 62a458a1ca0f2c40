// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQueryQpResp;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.QueuePairAttributes;
import java.lang.foreign.Arena;

/// Queries the attributes of a queue pair, by write command 25; it has no native method.
///
/// @see "ibv_query_qp(3)"
public final class QueryQueuePair {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_qp",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("qp_handle"),
            u32("attr_mask", "the queried attributes; rxe reports all"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(25, "QUERY_QP", REQUEST, IbUverbsQueryQpResp.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query queue pair")
            .write(WRITE, "2.6.17")
            .reads(UverbsObject.QP);

    private QueryQueuePair() {}

    /// Queries a queue pair.
    ///
    /// @param handle the queue pair's handle
    /// @param mask the queried attributes, bits of [io.verbs4j.types.QueuePairAttribute]
    /// @return the attributes that the kernel reported; there may be more than requested
    public static QueuePairAttributes execute(CommandChannel channel, int handle, int mask) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("qp_handle", handle)
                    .set("attr_mask", mask);
            SPECIFICATION.check(command.execute(channel));
            return IbUverbsQueryQpResp.read(command.response().memory());
        }
    }
}

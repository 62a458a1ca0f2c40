// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sharedreceive;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.Arena;

/// Queries the attributes of a shared receive queue, by write command 34; it has no native method.
///
/// @see "ibv_query_srq(3)"
public final class QuerySharedReceiveQueue {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_srq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("srq_handle"),
            u32("reserved"));
    /// `struct ib_uverbs_query_srq_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_srq_resp",
            u32("max_wr", "receives that the ring can hold"),
            u32("max_sge", "buffers of a work request"),
            u32("srq_limit", "0 once the event was raised"),
            u32("reserved"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(34, "QUERY_SRQ", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query shared receive queue")
            .write(WRITE, "2.6.17")
            .reads(UverbsObject.SRQ);

    private QuerySharedReceiveQueue() {}

    /// Attributes of a shared receive queue.
    ///
    /// @param maxWorkRequests receives that the queue can hold
    /// @param maxScatterGather scatter/gather elements of each receive
    /// @param limit the armed limit; 0 for none, or once its event was raised
    public record Response(int maxWorkRequests, int maxScatterGather, int limit) {}

    /// Queries a queue.
    ///
    /// @param handle the queue's handle
    public static Response execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("srq_handle", handle);
            SPECIFICATION.check(command.execute(channel));
            CView response = command.response();
            return new Response(response.getInt("max_wr"), response.getInt("max_sge"), response.getInt("srq_limit"));
        }
    }
}

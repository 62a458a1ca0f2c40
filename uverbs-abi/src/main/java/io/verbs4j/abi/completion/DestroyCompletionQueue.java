// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DestroyCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Destroys a completion queue: by `UVERBS_METHOD_CQ_DESTROY`, or write command 20. Refused with `EBUSY` while queue
/// pairs use it. Unread events are discarded. The response contains the number of read ones, so that the caller can
/// wait until they are processed.
///
/// @see "ibv_destroy_cq(3)"
public final class DestroyCompletionQueue {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_cq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("cq_handle"),
            u32("reserved"));
    /// `struct ib_uverbs_destroy_cq_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_cq_resp",
            u32("comp_events_reported", "events of the queue that were read from its channel"),
            u32("async_events_reported", "events of the queue that were read from the asynchronous events"));

    /// Destroys a completion queue.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.CQ, 1, "CQ_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_CQ_HANDLE = METHOD.handle(0, "DESTROY_CQ_HANDLE");
    /// Out: `struct ib_uverbs_destroy_cq_resp`.
    public static final UverbsAttribute DESTROY_CQ_RESP =
            METHOD.out(1, "DESTROY_CQ_RESP", RESPONSE);
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(20, "DESTROY_CQ", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("destroy completion queue")
            .method(METHOD, "4.14")
            .write(WRITE, "2.6.14")
            .destroys(UverbsObject.CQ)
            .cause(Errno.EBUSY, "other objects still use this object; destroy those objects first");

    private static final Response UNKNOWN = new Response(-1, -1);

    private DestroyCompletionQueue() {}

    /// Events of the queue that were read.
    ///
    /// @param completionEvents events on its channel
    /// @param asyncEvents events on the context
    public record Response(int completionEvents, int asyncEvents) {}

    /// Destroys a queue.
    ///
    /// @param handle the queue's handle
    public static Response execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            CView response = DestroyCommand.execute(
                    channel, arena, SPECIFICATION, DESTROY_CQ_HANDLE, DESTROY_CQ_RESP, "cq_handle", handle);
            try {
                return new Response(response.getInt("comp_events_reported"), response.getInt("async_events_reported"));
            } catch (OutOfMemoryError e) {
                return UNKNOWN; // an error would mean that the queue still exists
            }
        }
    }
}

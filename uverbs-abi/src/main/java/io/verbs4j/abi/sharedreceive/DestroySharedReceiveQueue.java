// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sharedreceive;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DestroyCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Destroys a shared receive queue: by `UVERBS_METHOD_SRQ_DESTROY`, or write command 35. Refused with `EBUSY` while
/// queue pairs use it. Unread events are discarded.
///
/// @see "ibv_destroy_srq(3)"
public final class DestroySharedReceiveQueue {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_srq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("srq_handle"),
            u32("reserved"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_srq_resp",
            u32("events_reported", "asynchronous events of the queue that were read"));

    /// Destroys a shared receive queue.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.SRQ, 1, "SRQ_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_SRQ_HANDLE = METHOD.handle(0, "DESTROY_SRQ_HANDLE");
    /// Out: `struct ib_uverbs_destroy_srq_resp`.
    public static final UverbsAttribute DESTROY_SRQ_RESP =
            METHOD.out(1, "DESTROY_SRQ_RESP", RESPONSE);
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(35, "DESTROY_SRQ", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("destroy shared receive queue")
            .method(METHOD, "5.8")
            .write(WRITE, "2.6.14")
            .destroys(UverbsObject.SRQ)
            .cause(Errno.EBUSY, "other objects still use this object; destroy those objects first");

    private DestroySharedReceiveQueue() {}

    /// Destroys a queue.
    ///
    /// @param handle the queue's handle
    /// @return asynchronous events of the queue that were read
    public static int execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            return DestroyCommand.execute(
                    channel, arena, SPECIFICATION, DESTROY_SRQ_HANDLE, DESTROY_SRQ_RESP, "srq_handle", handle)
                    .getInt("events_reported");
        }
    }
}

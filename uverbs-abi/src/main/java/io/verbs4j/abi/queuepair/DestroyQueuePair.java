// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DestroyCommand;
import io.verbs4j.abi.device.Pauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;

/// Destroys a queue pair: by `UVERBS_METHOD_QP_DESTROY`, or write command 27. Refused with `EBUSY` while it is a member
/// of a multicast group. Unread events are discarded; completions in its queues stay. On rxe it takes almost a minute
/// while a type 2 memory window is bound to it.
///
/// After `EBUSY`, [#execute] repeats the command for about a second. An earlier call of another thread, such as a
/// doorbell, may still use the queue pair, and the kernel does not wait for it (`uverbs_try_lock_object`, rdma_core.c).
///
/// @see "ibv_destroy_qp(3)"
public final class DestroyQueuePair {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_qp",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("qp_handle"),
            u32("reserved"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_qp_resp",
            u32("events_reported", "asynchronous events of the queue pair that were read"));

    /// Destroys a queue pair.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.QP, 1, "QP_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_QP_HANDLE = METHOD.handle(0, "DESTROY_QP_HANDLE");
    /// Out: `struct ib_uverbs_destroy_qp_resp`.
    public static final UverbsAttribute DESTROY_QP_RESP =
            METHOD.out(1, "DESTROY_QP_RESP", RESPONSE);
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(27, "DESTROY_QP", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("destroy queue pair")
            .method(METHOD, "5.8")
            .write(WRITE, "2.6.14")
            .destroys(UverbsObject.QP)
            .cause(Errno.EBUSY,
                    "the queue pair is still a member of multicast groups; detach it from each group"
                            + " first, with the LID that was used to attach it");

    private static final int MAX_ATTEMPTS = 10_000;
    private static final long PAUSE_NANOS = 100_000;

    private DestroyQueuePair() {}

    /// Destroys a queue pair.
    ///
    /// @param handle the queue pair's handle
    /// @return asynchronous events of the queue pair that were read
    public static int execute(CommandChannel channel, int handle) {
        try (var pauses = new Pauses()) {
            for (int attempt = 1; true; attempt++) {
                try (Arena arena = Arena.ofConfined()) {
                    return DestroyCommand.execute(
                            channel, arena, SPECIFICATION, DESTROY_QP_HANDLE, DESTROY_QP_RESP, "qp_handle", handle)
                            .getInt("events_reported");
                } catch (VerbsException e) {
                    if (e.errno() != Errno.EBUSY || attempt == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
                pauses.pause(PAUSE_NANOS);
            }
        }
    }
}

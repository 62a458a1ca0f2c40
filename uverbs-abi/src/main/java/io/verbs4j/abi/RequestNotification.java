// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsReqNotifyCq;
import java.lang.foreign.Arena;

/// Arms a completion queue: its next completion raises one event on its channel. By the write command 23; there is no native
/// method.
///
/// A completion that waits already raises none, so arm first, then poll once more, then wait.
///
/// @see "ibv_req_notify_cq(3)"
public final class RequestNotification {
    private RequestNotification() {}

    /// Arms the queue.
    ///
    /// @param handle the queue's handle
    /// @param solicitedOnly whether only receives of solicited messages count; on rxe failed ones do not
    public static void execute(CommandChannel channel, int handle, boolean solicitedOnly) {
        try (Arena arena = Arena.ofConfined()) {
            int result = WriteCommand.of(arena, IbUserVerbsCmd.REQ_NOTIFY_CQ, IbUverbsReqNotifyCq.STRUCT)
                    .set("cq_handle", handle)
                    .set("solicited_only", solicitedOnly ? 1 : 0)
                    .execute(channel);
            KernelErrors.check(Verb.REQUEST_NOTIFICATION, result);
        }
    }
}

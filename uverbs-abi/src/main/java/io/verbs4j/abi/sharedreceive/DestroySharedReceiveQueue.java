// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sharedreceive;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsDestroySrq;
import io.verbs4j.abi.uapi.IbUverbsDestroySrqResp;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.Arena;

/// Destroys a shared receive queue: by `UVERBS_METHOD_SRQ_DESTROY`, or the write command 35. Refused with
/// `EBUSY` while queue pairs use it. Events that nobody read yet are discarded.
///
/// @see "ibv_destroy_srq(3)"
public final class DestroySharedReceiveQueue {
    private DestroySharedReceiveQueue() {}

    /// Destroys.
    ///
    /// @param handle the queue's handle
    /// @return asynchronous events of the queue that were read
    public static int execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            CView response = IbUverbsDestroySrqResp.STRUCT.view(IbUverbsDestroySrqResp.STRUCT.allocate(arena));
            int result = IoctlCommand.of(arena, UverbsMethod.SRQ_DESTROY)
                    .handle(UverbsAttribute.DESTROY_SRQ_HANDLE, handle)
                    .out(UverbsAttribute.DESTROY_SRQ_RESP, response.memory())
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                WriteCommand command = WriteCommand.of(
                        arena,
                        IbUserVerbsCmd.DESTROY_SRQ,
                        IbUverbsDestroySrq.STRUCT,
                        IbUverbsDestroySrqResp.STRUCT)
                        .set("srq_handle", handle);
                result = command.execute(channel);
                response = command.response();
            }
            KernelErrors.checkDestroyed(Verb.DESTROY_SHARED_RECEIVE_QUEUE, result);
            return response.getInt("events_reported");
        }
    }
}

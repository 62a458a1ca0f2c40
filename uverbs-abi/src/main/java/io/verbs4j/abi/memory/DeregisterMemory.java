// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsDeregMr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.Arena;

/// Deregisters memory: by `UVERBS_METHOD_MR_DESTROY`, or the write command 13. Refused with `EINVAL` while memory
/// windows are bound to it.
///
/// @see "ibv_dereg_mr(3)"
public final class DeregisterMemory {
    private DeregisterMemory() {}

    /// Deregisters.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            int result = IoctlCommand.of(arena, UverbsMethod.MR_DESTROY)
                    .handle(UverbsAttribute.DESTROY_MR_HANDLE, handle)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                result = WriteCommand.of(arena, IbUserVerbsCmd.DEREG_MR, IbUverbsDeregMr.STRUCT)
                        .set("mr_handle", handle)
                        .execute(channel);
            }
            KernelErrors.checkDestroyed(Verb.DEREGISTER_MEMORY, result);
        }
    }
}

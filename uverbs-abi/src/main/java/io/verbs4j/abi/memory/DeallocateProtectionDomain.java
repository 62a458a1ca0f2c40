// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsDeallocPd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.Arena;

/// Gives a protection domain back: by `UVERBS_METHOD_PD_DESTROY`, or the write command 4. Refused with
/// `EBUSY` while anything refers to it.
///
/// @see "ibv_dealloc_pd(3)"
public final class DeallocateProtectionDomain {
    private DeallocateProtectionDomain() {}

    /// Gives it back.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            int result = IoctlCommand.of(arena, UverbsMethod.PD_DESTROY)
                    .handle(UverbsAttribute.DESTROY_PD_HANDLE, handle)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                result = WriteCommand.of(arena, IbUserVerbsCmd.DEALLOC_PD, IbUverbsDeallocPd.STRUCT)
                        .set("pd_handle", handle)
                        .execute(channel);
            }
            KernelErrors.checkDestroyed(Verb.DEALLOCATE_PROTECTION_DOMAIN, result);
        }
    }
}

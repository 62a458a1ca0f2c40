// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAllocMw;
import io.verbs4j.abi.uapi.IbUverbsAllocMwResp;
import java.lang.foreign.Arena;

/// Allocates a memory window, by the write command 14; there is no native method.
///
/// @see "ibv_alloc_mw(3)"
public final class AllocateMemoryWindow {
    private AllocateMemoryWindow() {}

    /// A memory window.
    ///
    /// @param handle the kernel's handle
    /// @param rkey its key; a bind changes the lowest 8 bits
    public record Response(int handle, int rkey) {}

    /// Allocates.
    ///
    /// @param domain handle of the protection domain
    /// @param type 1 or 2
    public static Response execute(CommandChannel channel, int domain, int type, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(
                    arena, IbUserVerbsCmd.ALLOC_MW, IbUverbsAllocMw.STRUCT, IbUverbsAllocMwResp.STRUCT)
                    .set("pd_handle", domain)
                    .set("mw_type", type)
                    .driver(driver);
            KernelErrors.check(Verb.ALLOCATE_MEMORY_WINDOW, command.execute(channel));
            return new Response(
                    command.response().getInt("mw_handle"), command.response().getInt("rkey"));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DestroyCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;

/// Deallocates a memory window: by `UVERBS_METHOD_MW_DESTROY`, or write command 16.
///
/// @see "ibv_dealloc_mw(3)"
public final class DeallocateMemoryWindow {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_dealloc_mw",
            u32("mw_handle"));

    /// Deallocates a memory window.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.MW, 0, "MW_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_MW_HANDLE = METHOD.handle(0, "DESTROY_MW_HANDLE");
    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(16, "DEALLOC_MW", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("deallocate memory window")
            .method(METHOD, "5.0")
            .write(WRITE, "3.9")
            .destroys(UverbsObject.MW);

    private DeallocateMemoryWindow() {}

    /// Deallocates a window.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        DestroyCommand.execute(channel, SPECIFICATION, DESTROY_MW_HANDLE, "mw_handle", handle);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.datagram;

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

/// Destroys an address handle: by `UVERBS_METHOD_AH_DESTROY`, or write command 8.
///
/// @see "ibv_destroy_ah(3)"
public final class DestroyAddressHandle {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_ah",
            u32("ah_handle"));

    /// Destroys an address handle.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.AH, 0, "AH_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_AH_HANDLE = METHOD.handle(0, "DESTROY_AH_HANDLE");
    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(8, "DESTROY_AH", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("destroy address handle")
            .method(METHOD, "5.0")
            .write(WRITE, "2.6.15")
            .destroys(UverbsObject.AH);

    private DestroyAddressHandle() {}

    /// Destroys a handle.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        DestroyCommand.execute(channel, SPECIFICATION, DESTROY_AH_HANDLE, "ah_handle", handle);
    }
}

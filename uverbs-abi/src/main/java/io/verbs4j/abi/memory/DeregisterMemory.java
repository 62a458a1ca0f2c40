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
import io.verbs4j.types.Errno;

/// Deregisters memory: by `UVERBS_METHOD_MR_DESTROY`, or write command 13. Refused with `EINVAL` while memory windows
/// are bound to it.
///
/// @see "ibv_dereg_mr(3)"
public final class DeregisterMemory {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_dereg_mr",
            u32("mr_handle"));

    /// Deregisters a memory region.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.MR, 1, "MR_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_MR_HANDLE = METHOD.handle(0, "DESTROY_MR_HANDLE");
    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(13, "DEREG_MR", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("deregister memory")
            .method(METHOD, "5.0")
            .write(WRITE, "2.6.14")
            .destroys(UverbsObject.MR)
            .cause(Errno.EINVAL, "memory windows are bound to the region");

    private DeregisterMemory() {}

    /// Deregisters a region.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        DestroyCommand.execute(channel, SPECIFICATION, DESTROY_MR_HANDLE, "mr_handle", handle);
    }
}

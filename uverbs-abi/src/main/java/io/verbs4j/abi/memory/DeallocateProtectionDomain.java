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

/// Deallocates a protection domain: by `UVERBS_METHOD_PD_DESTROY`, or write command 4. Refused with `EBUSY` while other
/// objects refer to it.
///
/// @see "ibv_dealloc_pd(3)"
public final class DeallocateProtectionDomain {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_dealloc_pd",
            u32("pd_handle"));

    /// Deallocates a protection domain.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.PD, 0, "PD_DESTROY");
    /// Handle.
    public static final UverbsAttribute DESTROY_PD_HANDLE = METHOD.handle(0, "DESTROY_PD_HANDLE");
    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(4, "DEALLOC_PD", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("deallocate protection domain")
            .method(METHOD, "5.0")
            .write(WRITE, "2.6.14")
            .destroys(UverbsObject.PD)
            .cause(Errno.EBUSY, "other objects still use this object; destroy those objects first");

    private DeallocateProtectionDomain() {}

    /// Deallocates a domain.
    ///
    /// @param handle the kernel's handle
    public static void execute(CommandChannel channel, int handle) {
        DestroyCommand.execute(channel, SPECIFICATION, DESTROY_PD_HANDLE, "pd_handle", handle);
    }
}

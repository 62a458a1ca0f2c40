// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.Arena;

/// Allocates a protection domain, by write command 3; it has no native method.
///
/// @see "ibv_alloc_pd(3)"
public final class AllocateProtectionDomain {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_pd",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_pd_resp",
            u32("pd_handle", "0 is a valid handle"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(3, "ALLOC_PD", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("allocate protection domain")
            .write(WRITE, "2.6.14")
            .makes(UverbsObject.PD);

    private AllocateProtectionDomain() {}

    /// Allocates a domain.
    ///
    /// @return the kernel's handle; 0 is a valid one
    public static int execute(CommandChannel channel, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .driver(driver);
            SPECIFICATION.check(command.execute(channel));
            return command.response().getInt("pd_handle");
        }
    }
}

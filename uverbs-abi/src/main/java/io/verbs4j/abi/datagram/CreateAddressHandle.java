// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.datagram;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAhAttr;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Creates an address handle, by write command 5; it has no native method. On RoCE, the kernel resolves the peer's
/// Ethernet address during the command, which may take a second and fail with `ETIMEDOUT`.
///
/// @see "ibv_create_ah(3)"
public final class CreateAddressHandle {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_ah",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle"),
            u32("pd_handle"),
            u32("reserved"),
            struct("attr", IbUverbsAhAttr.STRUCT));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_ah_resp",
            u32("ah_handle"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(5, "CREATE_AH", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create address handle")
            .write(WRITE, "2.6.15")
            .makes(UverbsObject.AH)
            .causes(GeneralCauses.OF_PATHS)
            .cause(Errno.EINVAL,
                    "no GID, a port that does not exist, a source GID index beyond the table, source and destination of"
                            + " different IP families, or the device already has its maximum number of address"
                            + " handles (max_ah)");

    private CreateAddressHandle() {}

    /// Creates an address handle.
    ///
    /// @param domain handle of the protection domain
    /// @param userHandle opaque to the kernel
    /// @param driver contains the buffer in which the driver reports what work requests need
    /// @return the kernel's handle
    public static int execute(
            CommandChannel channel, int domain, long userHandle, AddressVector path, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("user_handle", userHandle)
                    .set("pd_handle", domain)
                    .driver(driver);
            IbUverbsAhAttr.write(command.request().slice("attr"), path);
            SPECIFICATION.check(command.execute(channel));
            return command.response().getInt("ah_handle");
        }
    }
}

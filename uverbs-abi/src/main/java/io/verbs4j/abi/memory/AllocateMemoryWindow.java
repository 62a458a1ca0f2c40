// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Allocates a memory window, by write command 14; it has no native method.
///
/// @see "ibv_alloc_mw(3)"
public final class AllocateMemoryWindow {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_mw",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("pd_handle"),
            u8("mw_type", "1 or 2"),
            bytes("reserved", 3));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_mw_resp",
            u32("mw_handle"),
            u32("rkey"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(14, "ALLOC_MW", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("allocate memory window")
            .write(WRITE, "3.9")
            .makes(UverbsObject.MW)
            .cause(Errno.EINVAL, "the type is neither 1 nor 2");

    private AllocateMemoryWindow() {}

    /// A memory window.
    ///
    /// @param handle the kernel's handle
    /// @param rkey its key; a bind changes the lowest 8 bits
    public record Response(int handle, int rkey) {}

    /// Allocates a window.
    ///
    /// @param domain handle of the protection domain
    /// @param type 1 or 2
    public static Response execute(CommandChannel channel, int domain, int type, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("pd_handle", domain)
                    .set("mw_type", type)
                    .driver(driver);
            SPECIFICATION.check(command.execute(channel));
            try {
                return new Response(
                        command.response().getInt("mw_handle"), command.response().getInt("rkey"));
            } catch (OutOfMemoryError e) {
                DeallocateMemoryWindow.execute(channel, command.response().getInt("mw_handle"));
                throw e;
            }
        }
    }
}

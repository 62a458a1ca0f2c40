// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Changes the memory, protection domain or access rights of a region, by write command 11; it has no native method.
/// The driver may change the region's keys. rxe does not support the command on 6.1; from 6.12 on, it changes domain
/// and rights only.
///
/// @see "ibv_rereg_mr(3)"
public final class ReregisterMemory {
    /// `struct ib_uverbs_rereg_mr`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_rereg_mr",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("mr_handle"),
            u32("flags", "the changes: 1 translation, 2 protection domain, 4 access"),
            u64("start"),
            u64("length"),
            u64("hca_va"),
            u32("pd_handle"),
            u32("access_flags"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_rereg_mr_resp",
            u32("lkey"),
            u32("rkey"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(11, "REREG_MR", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("reregister memory")
            .write(WRITE, "3.17")
            .changes(UverbsObject.MR)
            // ib_umem_check_rereg (umem.c), or a write() after a change of credentials
            .cause(Errno.EACCES,
                    "the region was registered without a right to write, so its memory is pinned for reading only:"
                            + " register it anew; or " + GeneralCauses.FOREIGN_PROCESS)
            .cause(Errno.EOPNOTSUPP,
                    "the driver does not support this change: rxe of Linux 6.1 supports none; newer"
                            + " rxe changes the protection domain and the access rights, but not the memory");

    /// `IB_MR_REREG_TRANS`: another range of memory.
    public static final int TRANSLATION = 1;
    /// `IB_MR_REREG_PD`: another protection domain.
    public static final int PROTECTION_DOMAIN = 1 << 1;
    /// `IB_MR_REREG_ACCESS`: other access rights.
    public static final int ACCESS = 1 << 2;

    /// A handle that no region has, since handles count up from 0. The kernel looks up the region only if the driver
    /// supports the command.
    public static final int NO_REGION = -1;

    private ReregisterMemory() {}

    /// The parts of a registration to change.
    ///
    /// @param flags the parts to change: bits of [#TRANSLATION], [#PROTECTION_DOMAIN], [#ACCESS]
    /// @param address first byte
    /// @param length bytes
    /// @param iova the address of the first byte in work requests
    /// @param domain handle of the protection domain
    /// @param accessFlags bits of [io.verbs4j.types.Access]
    public record Request(int flags, long address, long length, long iova, int domain, int accessFlags) {}

    /// The region's keys after the change.
    ///
    /// @param lkey the key for local work requests
    /// @param rkey the key for the peer's requests
    public record Response(int lkey, int rkey) {}

    /// Changes the region.
    ///
    /// @param handle the region's handle
    public static Response execute(CommandChannel channel, int handle, Request request, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("mr_handle", handle)
                    .set("flags", request.flags())
                    .set("start", request.address())
                    .set("length", request.length())
                    .set("hca_va", request.iova())
                    .set("pd_handle", request.domain())
                    .set("access_flags", request.accessFlags())
                    .driver(driver);
            SPECIFICATION.check(command.execute(channel));
            return new Response(
                    command.response().getInt("lkey"), command.response().getInt("rkey"));
        }
    }
}

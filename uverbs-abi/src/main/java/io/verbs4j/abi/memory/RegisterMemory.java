// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Registers memory, by write command 9; the native method of newer kernels does no more. The kernel pins the pages,
/// and counts them against the process's limit of locked memory.
///
/// @see "ibv_reg_mr_iova(3)"
public final class RegisterMemory {
    /// `struct ib_uverbs_reg_mr`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_reg_mr",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("start", "address of the first byte"),
            u64("length", "bytes"),
            u64("hca_va", "its address in work requests; same offset within a page"),
            u32("pd_handle"),
            u32("access_flags", "IB_UVERBS_ACCESS_*"));
    /// `struct ib_uverbs_reg_mr_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_reg_mr_resp",
            u32("mr_handle"),
            u32("lkey"),
            u32("rkey"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(9, "REG_MR", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("register memory")
            .write(WRITE, "2.6.14")
            .makes(UverbsObject.MR)
            .cause(Errno.EINVAL,
                    "a length of 0, a range that wraps around, an iova (the address that peers use) whose offset"
                            + " within its page differs from the memory's, remote write or atomic without local write, or an"
                            + " access right that this kernel lacks")
            .cause(Errno.EFAULT,
                    "the range is not mapped, is read-only but must be writable, or is a shared mapping of an"
                            + " ordinary file,"
                            + " which newer kernels do not pin; use anonymous, tmpfs or huge-page memory")
            .cause(Errno.EOPNOTSUPP, "the driver does not support one of the access rights")
            .cause(Errno.ENOMEM,
                    "the process has locked as much memory as it may (RLIMIT_MEMLOCK, ulimit -l, unless it has"
                            + " CAP_IPC_LOCK), the"
                            + " region is longer than the driver supports (rxe of 6.12.115 and later: 1 GiB), or the"
                            + " kernel is out of memory")
            .cause(Errno.EPERM, "RLIMIT_MEMLOCK (ulimit -l) is 0, so the process may lock no memory")
            .limit(Errno.EPERM);

    private RegisterMemory() {}

    /// A memory region.
    ///
    /// @param handle the kernel's handle
    /// @param lkey the key for this end's work requests
    /// @param rkey the key for the peer's requests
    public record Response(int handle, int lkey, int rkey) {}

    /// Registers memory.
    ///
    /// @param domain handle of the protection domain
    /// @param address first byte
    /// @param length bytes, at least 1
    /// @param iova the address of the first byte in work requests; it has the same offset within a page as `address`
    /// @param accessFlags bits of [io.verbs4j.types.Access]
    public static Response execute(
            CommandChannel channel,
            int domain,
            long address,
            long length,
            long iova,
            int accessFlags,
            DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                    .set("start", address)
                    .set("length", length)
                    .set("hca_va", iova)
                    .set("pd_handle", domain)
                    .set("access_flags", accessFlags)
                    .driver(driver);
            int result = command.execute(channel);
            if (result == -Errno.ENOMEM || result == -Errno.EPERM) {
                var attempt = new RefusedPinning.Attempt(channel.driverId(), address, length, accessFlags);
                throw KernelErrors.failure(
                        SPECIFICATION, -result, RefusedPinning.explain(-result, attempt, channel.host()));
            }
            if (result == -Errno.EINVAL) {
                throw KernelErrors.failure(
                        SPECIFICATION,
                        Errno.EINVAL,
                        RefusedRegistration.explain(address, length, iova, accessFlags));
            }
            SPECIFICATION.check(result);
            CView response = command.response();
            try {
                return new Response(response.getInt("mr_handle"), response.getInt("lkey"), response.getInt("rkey"));
            } catch (OutOfMemoryError e) {
                DeregisterMemory.execute(channel, response.getInt("mr_handle"));
                throw e;
            }
        }
    }
}

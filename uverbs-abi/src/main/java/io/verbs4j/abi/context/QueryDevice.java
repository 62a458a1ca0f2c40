// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsQueryDeviceResp;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Queries the limits and capabilities of a device by extended write command 1. If the kernel does not support it, uses
/// the plain command, which reports less.
///
/// @see "ibv_query_device_ex(3)"
public final class QueryDevice {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_device",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"));
    private static final CStruct EXTENDED_REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_query_device",
            u32("comp_mask", "0, otherwise EINVAL"),
            u32("reserved", "0, otherwise EINVAL"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(1, "QUERY_DEVICE", REQUEST, IbUverbsQueryDeviceResp.STRUCT);
    /// The extended write command.
    public static final IbUserVerbsCmd EXTENDED_WRITE =
            IbUserVerbsCmd.ofExtended(1, "QUERY_DEVICE", EXTENDED_REQUEST,
                    IbUverbsExQueryDeviceResp.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query device")
            .write(WRITE, "2.6.14")
            .write(EXTENDED_WRITE, "4.0")
            .reads(UverbsObject.DEVICE);

    private QueryDevice() {}

    /// Queries the device without a driver-specific part, which rxe refuses up to 6.12.
    public static DeviceAttributes execute(CommandChannel channel) {
        return execute(channel, DriverData.NONE);
    }

    /// Queries the device with a driver-specific part.
    public static DeviceAttributes execute(CommandChannel channel, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand extended = WriteCommand.of(arena, SPECIFICATION, EXTENDED_WRITE)
                    .driver(driver);
            int result = extended.execute(channel);
            if (lacksExtended(result)) {
                return plain(channel, arena);
            }
            SPECIFICATION.check(result);
            return IbUverbsExQueryDeviceResp.read(extended.response().memory());
        }
    }

    private static DeviceAttributes plain(CommandChannel channel, Arena arena) {
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION);
        SPECIFICATION.check(command.execute(channel));
        return IbUverbsQueryDeviceResp.read(command.response().memory());
    }

    private static boolean lacksExtended(int result) {
        return result == -Errno.EOPNOTSUPP || result == -Errno.ENOSYS || IoctlCommand.isMissing(result);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/// Sets an option of an identifier.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_set_option.3.html">rdma_set_option(3)</a>
public final class SetOption {
    /// `struct rdma_ucm_set_option`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_set_option",
            u64("optval", "address of the value"),
            u32("id"),
            u32("level", "RDMA_OPTION_ID or RDMA_OPTION_IB"),
            u32("optname"),
            u32("optlen", "bytes of the value"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(14, "SET_OPTION", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("set CM option")
            .connectionManager(COMMAND, "2.6.24")
            .causes(Map.of(Errno.ENOSYS, "this kernel does not support the option",
                    Errno.EINVAL,
                    "the value is out of range, or the identifier is already bound or connected"));

    /// `RDMA_OPTION_ID`.
    public static final int LEVEL_IDENTIFIER = 0;
    /// `RDMA_OPTION_ID_TOS`: type of service of the packets, a byte.
    public static final int TYPE_OF_SERVICE = 0;
    /// `RDMA_OPTION_ID_REUSEADDR`: whether several identifiers may bind to one address, a number.
    public static final int REUSE_ADDRESS = 1;
    /// `RDMA_OPTION_ID_AFONLY`: whether a listener for IPv6 excludes IPv4, a number.
    public static final int ADDRESS_FAMILY_ONLY = 2;
    /// `RDMA_OPTION_ID_ACK_TIMEOUT`: acknowledgement timeout of the queue pair, 4.096 µs × 2^n, a byte.
    public static final int ACKNOWLEDGE_TIMEOUT = 3;

    private SetOption() {}

    /// Sets an option that is a byte: [#TYPE_OF_SERVICE], [#ACKNOWLEDGE_TIMEOUT].
    public static void execute(DeviceFile file, int id, int option, byte value) {
        try (Arena arena = Arena.ofConfined()) {
            send(file, arena, id, option, arena.allocateFrom(ValueLayout.JAVA_BYTE, value));
        }
    }

    /// Sets an option that is a number: [#REUSE_ADDRESS], [#ADDRESS_FAMILY_ONLY].
    public static void execute(DeviceFile file, int id, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            send(file, arena, id, option, arena.allocateFrom(ValueLayout.JAVA_INT, value));
        }
    }

    private static void send(DeviceFile file, Arena arena, int id, int option, MemorySegment value) {
        CmCommand.of(arena, SPECIFICATION)
                .set("optval", value.address())
                .set("id", id)
                .set("level", LEVEL_IDENTIFIER)
                .set("optname", option)
                .set("optlen", value.byteSize())
                .send(file);
    }
}

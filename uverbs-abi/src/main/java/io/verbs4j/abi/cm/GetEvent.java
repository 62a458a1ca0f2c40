// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.union;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads an event. On a file that was opened non-blocking, it never waits.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
public final class GetEvent {
    /// `struct rdma_ucm_get_event`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_get_event",
            u64("response", "address of the response"));
    /// `struct rdma_ucm_event_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_event_resp",
            u64("uid", "number of the identifier, or of the membership, in events"),
            u32("id", "the identifier; for a connect request, the new one"),
            u32("event", "RDMA_CM_EVENT_*"),
            u32("status", "0, a negated errno, or the reason of a rejection"),
            union("param", struct("conn", RdmaUcmConnParam.STRUCT, "for connections"),
                    struct("ud", RdmaUcmUdParam.STRUCT, "for datagrams"),
                    array("arg32", 2, ValueLayout.JAVA_INT).means("for events that a program wrote")),
            u32("reserved"),
            struct("ece", RdmaUcmConnParam.ECE));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(12, "GET_EVENT", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("get CM event")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EAGAIN, "no event is waiting",
                    Errno.EINTR, "a signal ended the wait",
                    Errno.ENOMEM, "the kernel is out of memory"));

    private GetEvent() {}

    /// Reads an event.
    ///
    /// @return null if none is waiting
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    public static @Nullable CmEventRecord execute(DeviceFile file) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION);
            int result = command.execute(file);
            if (result == -Errno.EAGAIN) {
                return null;
            }
            SPECIFICATION.check(result);
            return CmEventRecord.read(command.answer());
        }
    }
}

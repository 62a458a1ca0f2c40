// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUverbsQpAttr;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.util.Map;

/// Queries the attributes for a queue pair's transition to a state, as agreed by the connection manager and the peer.
public final class InitQueuePairAttributes {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_init_qp_attr",
            u64("response", "address of the response"),
            u32("id"),
            u32("qp_state", "the state for which the attributes are"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(11, "INIT_QP_ATTR", REQUEST, IbUverbsQpAttr.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("get queue pair attributes")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL,
                    "the connection has not reached this state (attributes for RTR exist only after"
                            + " the peer's request or response has arrived), or the peer has ended its attempt",
                    Errno.ENODEV, "the identifier has no RDMA device yet"));

    private InitQueuePairAttributes() {}

    /// Queries the attributes.
    ///
    /// @return attributes for a modify of the queue pair; the RNR timer is 0, which means 655 ms
    public static QueuePairAttributes execute(DeviceFile file, int id, QueuePairState state) {
        try (Arena arena = Arena.ofConfined()) {
            return IbUverbsQpAttr.read(CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("qp_state", state.value())
                    .send(file)
                    .answerBytes());
        }
    }
}

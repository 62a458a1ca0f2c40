// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.CStruct;
import java.util.List;
import java.util.Map;

/// The C structs shared with the kernel and the device.
public final class Mlx5Structs {
    private static final List<CStruct> COMMANDS = List.of(
            CommandStructs.CONTEXT_REQUEST,
            CommandStructs.CONTEXT_ANSWER,
            CommandStructs.DOMAIN_ANSWER,
            CommandStructs.CREATE_CQ,
            CommandStructs.CREATE_CQ_ANSWER,
            CommandStructs.RESIZE_CQ,
            CommandStructs.CREATE_SRQ,
            CommandStructs.CREATE_SRQ_ANSWER,
            CommandStructs.CREATE_QP,
            CommandStructs.CREATE_QP_ANSWER,
            CommandStructs.CREATE_AH_ANSWER);

    private static final List<CStruct> SEGMENTS = List.of(
            Segments.CONTROL,
            Segments.REMOTE,
            Segments.ATOMIC,
            Segments.DATA,
            Segments.VECTOR,
            Segments.UMR_CONTROL,
            Segments.KEY_CONTEXT,
            Segments.UMR_DATA,
            Segments.SHARED_NEXT,
            Segments.COMPLETION,
            Segments.ERROR);

    /// The part of the ABI that mlx5 adds.
    static final DriverAbi ABI = new DriverAbi(
            "mlx5_ib",
            COMMANDS,
            Map.of(
                    GetContext.SPECIFICATION,
                    CommandStructs.CONTEXT_REQUEST,
                    CreateCompletionQueue.SPECIFICATION,
                    CommandStructs.CREATE_CQ,
                    ResizeCompletionQueue.SPECIFICATION,
                    CommandStructs.RESIZE_CQ,
                    CreateSharedReceiveQueue.SPECIFICATION,
                    CommandStructs.CREATE_SRQ,
                    CreateQueuePair.SPECIFICATION,
                    CommandStructs.CREATE_QP),
            Map.of(
                    GetContext.SPECIFICATION,
                    CommandStructs.CONTEXT_ANSWER,
                    AllocateProtectionDomain.SPECIFICATION,
                    CommandStructs.DOMAIN_ANSWER,
                    CreateCompletionQueue.SPECIFICATION,
                    CommandStructs.CREATE_CQ_ANSWER,
                    CreateSharedReceiveQueue.SPECIFICATION,
                    CommandStructs.CREATE_SRQ_ANSWER,
                    CreateQueuePair.SPECIFICATION,
                    CommandStructs.CREATE_QP_ANSWER,
                    CreateAddressHandle.SPECIFICATION,
                    CommandStructs.CREATE_AH_ANSWER),
            List.of(),
            Map.of());

    private Mlx5Structs() {}

    /// Returns the structs of requests and responses, which are in the kernel's type information.
    public static List<CStruct> commands() {
        return COMMANDS;
    }

    /// Returns the structs of queues and completions, which are not in the kernel's type information.
    public static List<CStruct> segments() {
        return SEGMENTS;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Describes a queue pair to create.
///
/// @param domain the protection domain
/// @param type the transport
/// @param sendQueue the completion queue of the sends
/// @param receiveQueue the completion queue of the receives
/// @param sharedReceiveQueue the shared receive queue; null if the queue pair has its own receive ring
/// @param capabilities required capacities
/// @param signalAll whether every send produces a completion, even if it is not signaled
/// @param userHandle the queue pair's identifier in events
public record QueuePairRequest(
        ProviderProtectionDomain domain,
        QueuePairType type,
        ProviderCompletionQueue sendQueue,
        ProviderCompletionQueue receiveQueue,
        @Nullable ProviderSharedReceiveQueue sharedReceiveQueue,
        QueuePairCapabilities capabilities,
        boolean signalAll,
        long userHandle) {
    /// Returns the command that creates the queue pair.
    ///
    /// @param wanted the capacities to request, already rounded for the driver. With a shared receive queue, the
    ///     capacities of receives are ignored
    public CreateQueuePair.Request command(QueuePairCapabilities wanted) {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue;
        return new CreateQueuePair.Request(
                domain.handle(),
                sendQueue.handle(),
                receiveQueue.handle(),
                shared == null ? null : shared.handle(),
                userHandle,
                type,
                shared == null ? wanted : withoutReceives(wanted),
                signalAll);
    }

    private static QueuePairCapabilities withoutReceives(QueuePairCapabilities wanted) {
        return new QueuePairCapabilities(
                wanted.maxSendWorkRequests(), 0, wanted.maxSendScatterGather(), 0, wanted.maxInlineData());
    }
}

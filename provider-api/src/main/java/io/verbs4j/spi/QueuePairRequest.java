// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// What a queue pair should be.
///
/// @param domain its protection domain
/// @param type its transport
/// @param sendQueue where its sends complete
/// @param receiveQueue where its receives complete
/// @param sharedReceiveQueue where its receives come from, if not from its own ring
/// @param capabilities what it must hold
/// @param signalAll whether every send completes visibly, whatever its flags
/// @param userHandle what its events carry
public record QueuePairRequest(
        ProviderProtectionDomain domain,
        QueuePairType type,
        ProviderCompletionQueue sendQueue,
        ProviderCompletionQueue receiveQueue,
        @Nullable ProviderSharedReceiveQueue sharedReceiveQueue,
        QueuePairCapabilities capabilities,
        boolean signalAll,
        long userHandle) {}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;

/// Describes a shared receive queue to create.
///
/// @param domain its protection domain
/// @param userHandle its identifier in events
/// @param maxWorkRequests receives that the queue must hold
/// @param maxScatterGather scatter/gather elements of each receive
/// @param limit number of waiting receives below which an event is raised once; 0 for none
public record SharedReceiveQueueRequest(
        ProviderProtectionDomain domain, long userHandle, int maxWorkRequests, int maxScatterGather, int limit) {
    /// Returns the command that creates the queue.
    ///
    /// @param receives the number of receives to request, according to the driver's rounding
    /// @param elements scatter/gather elements of each receive, likewise
    public CreateSharedReceiveQueue.Request command(int receives, int elements) {
        return new CreateSharedReceiveQueue.Request(domain.handle(), userHandle, receives, elements, limit);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;

/// Describes a shared receive queue to create.
///
/// @param domain the protection domain
/// @param userHandle the queue's identifier in events
/// @param maxWorkRequests receives that the queue must hold
/// @param maxScatterGather scatter/gather elements of each receive
/// @param limit the limit: an event is raised once, when the queue contains fewer receives; 0 for none
public record SharedReceiveQueueRequest(
        ProviderProtectionDomain domain, long userHandle, int maxWorkRequests, int maxScatterGather, int limit) {
    /// Returns the command that creates the queue.
    ///
    /// @param receives the number of receives to request, already rounded for the driver
    /// @param elements scatter/gather elements of each receive to request
    public CreateSharedReceiveQueue.Request command(int receives, int elements) {
        return new CreateSharedReceiveQueue.Request(domain.handle(), userHandle, receives, elements, limit);
    }
}

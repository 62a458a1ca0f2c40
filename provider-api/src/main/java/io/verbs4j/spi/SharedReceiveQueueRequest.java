// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;

/// Describes a shared receive queue to create.
///
/// @param domain its protection domain
/// @param userHandle what its events carry
/// @param maxWorkRequests receive work requests that it must hold
/// @param maxScatterGather scatter/gather elements of each
/// @param limit number of waiting receives below which an event is raised once; 0 for none
public record SharedReceiveQueueRequest(
        ProviderProtectionDomain domain, long userHandle, int maxWorkRequests, int maxScatterGather, int limit) {
    /// Returns the command that asks the kernel for it.
    ///
    /// @param receives what a provider asks for, by what its driver makes of it
    /// @param elements scatter/gather elements of each, likewise
    public CreateSharedReceiveQueue.Request command(int receives, int elements) {
        return new CreateSharedReceiveQueue.Request(domain.handle(), userHandle, receives, elements, limit);
    }
}

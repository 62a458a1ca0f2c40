// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;

/// Creates objects in the kernel. If a later step fails, the rollback destroys the objects.
///
/// @param channel sends the commands
/// @param rollback the completed steps
public record CreatedObjects(CommandChannel channel, Rollback rollback) {
    /// Creates a completion queue.
    public CreateCompletionQueue.Response completionQueue(CreateCompletionQueue.Request request, DriverData driver) {
        return rollback.make(
                () -> CreateCompletionQueue.execute(channel, request, driver),
                made -> DestroyCompletionQueue.execute(channel, made.handle()));
    }

    /// Creates a shared receive queue.
    public CreateSharedReceiveQueue.Response sharedReceiveQueue(
            CreateSharedReceiveQueue.Request request, DriverData driver) {
        return rollback.make(
                () -> CreateSharedReceiveQueue.execute(channel, request, driver),
                made -> DestroySharedReceiveQueue.execute(channel, made.handle()));
    }

    /// Creates a queue pair.
    public CreateQueuePair.Response queuePair(CreateQueuePair.Request request, DriverData driver) {
        return rollback.make(
                () -> CreateQueuePair.execute(channel, request, driver),
                made -> DestroyQueuePair.execute(channel, made.handle()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;

/// Finds the peer of a ping-pong, and connects a queue pair. Created objects are closed with the context.
interface Meeting extends AutoCloseable {
    /// Opens the device.
    ///
    /// @throws io.verbs4j.tools.common.ToolException with the option that exceeds a limit; the device is closed then
    Context open();

    /// Creates a queue pair, posts its receives, and connects it with the peer's.
    Messages meet(ProtectionDomain domain, CompletionQueue queue, MemoryRegion memory);

    @Override
    void close();

    /// Sets the sizes of a queue pair for a ping-pong without receives of its own: one send at a time.
    static QueuePairBuilder sized(QueuePairBuilder builder) {
        return builder.maxSends(1).maxSendScatterGather(1).maxInlineData(0).singleThreaded();
    }

    /// Sets the sizes of a queue pair with receives of its own.
    static QueuePairBuilder sized(QueuePairBuilder builder, int receives) {
        return sized(builder).maxReceives(receives).maxReceiveScatterGather(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;

/// Lets the two ends of a ping-pong find each other, and connects a queue pair. What it makes is closed with the context.
interface Meeting extends AutoCloseable {
    /// Opens the device.
    ///
    /// @throws io.verbs4j.tools.ToolException naming the option that asks too much; nothing stays open then
    Context open();

    /// Makes a queue pair, posts its receives, and connects it with the peer's.
    Messages meet(ProtectionDomain domain, CompletionQueue queue, MemoryRegion memory);

    @Override
    void close();

    /// Gives a queue pair the size that a ping-pong needs, but for receives: one send at a time.
    static QueuePairBuilder sized(QueuePairBuilder builder) {
        return builder.maxSends(1).maxSendScatterGather(1).maxInlineData(0).singleThreaded();
    }

    /// As [#sized(QueuePairBuilder)], with receives of its own.
    static QueuePairBuilder sized(QueuePairBuilder builder, int receives) {
        return sized(builder).maxReceives(receives).maxReceiveScatterGather(1);
    }
}

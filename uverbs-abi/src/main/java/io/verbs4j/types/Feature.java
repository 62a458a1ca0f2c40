// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A feature that a driver or kernel may lack. Programs should query it first; the API rejects the use of missing
/// features with [NotSupportedException].
public enum Feature {
    /// Shared receive queues.
    SHARED_RECEIVE_QUEUE,
    /// Resizing of completion queues.
    RESIZE_COMPLETION_QUEUE,
    /// Atomic compare-and-swap and fetch-and-add.
    ATOMICS,
    /// 8-byte atomic write.
    ATOMIC_WRITE,
    /// Flush to global visibility.
    FLUSH_GLOBAL,
    /// Flush to persistence.
    FLUSH_PERSISTENT,
    /// Memory windows of type 1.
    MEMORY_WINDOW_TYPE_1,
    /// Memory windows of type 2.
    MEMORY_WINDOW_TYPE_2,
    /// Changing the protection domain or access rights of a region.
    REREGISTER_MEMORY,
    /// On-demand paging.
    ON_DEMAND_PAGING,
    /// Multicast groups.
    MULTICAST,
    /// Extended reliable connections (XRC).
    EXTENDED_RELIABLE_CONNECTION,
    /// Raw Ethernet packets.
    RAW_PACKET,
    /// Flow steering.
    FLOW_STEERING,
    /// Receive work queues and tables of them.
    WORK_QUEUES,
    /// Hardware counters bound to objects.
    COUNTERS,
    /// Memory on the device.
    DEVICE_MEMORY,
    /// Parent domains and thread domains.
    PARENT_DOMAIN,
    /// Registration of DMA-BUF memory.
    DMA_BUF,
    /// Tag matching.
    TAG_MATCHING,
    /// Completion timestamps.
    COMPLETION_TIMESTAMPS,
    /// Reading the device's clock.
    DEVICE_CLOCK,
    /// Reducing the events of a completion queue, by count and time.
    COMPLETION_MODERATION,
    /// A limit of a queue pair's rate.
    RATE_LIMIT,
    /// Incoming data is written in order: when its last byte has landed, all of it has.
    DATA_IN_ORDER,
    /// Counters of completions that need no completion queue.
    COMPLETION_COUNTERS,
    /// Hints for the processor's caches with a registration.
    DMA_HANDLES,
    /// The port's effective speed, in addition to its link's speed code.
    EFFECTIVE_PORT_SPEED,
    /// Enhanced connection establishment: options that two devices agree on.
    ENHANCED_CONNECTION,
    /// Use of objects created by another process, or by another library in this one.
    IMPORTED_OBJECTS
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A feature that a driver or kernel may lack. Programs can test for it with `Context.supports`. The use of a missing
/// feature throws [NotSupportedException].
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
    /// Flow steering: rules that assign incoming packets to queues.
    FLOW_STEERING,
    /// Receive work queues, and tables of receive work queues.
    WORK_QUEUES,
    /// Hardware counters that are bound to objects.
    COUNTERS,
    /// Memory on the device.
    DEVICE_MEMORY,
    /// Parent domains and thread domains.
    PARENT_DOMAIN,
    /// Registration of memory that another device driver exports (DMA-BUF).
    DMA_BUF,
    /// Tag matching: the device assigns messages to receives by a tag.
    TAG_MATCHING,
    /// Completion timestamps.
    COMPLETION_TIMESTAMPS,
    /// Reading the device's clock.
    DEVICE_CLOCK,
    /// Reduction of a completion queue's events, by count and time.
    COMPLETION_MODERATION,
    /// A limit of a queue pair's data rate.
    RATE_LIMIT,
    /// Incoming data is written in order: when the last byte of a message has arrived, all earlier bytes have arrived.
    DATA_IN_ORDER,
    /// Counters of completions, without a completion queue.
    COMPLETION_COUNTERS,
    /// Hints about the processor's caches when memory is registered.
    DMA_HANDLES,
    /// The port's effective speed, in addition to its link's speed code.
    EFFECTIVE_PORT_SPEED,
    /// Enhanced connection establishment: options that two devices agree on.
    ENHANCED_CONNECTION,
    /// Use of objects that another process, or another library in this process, has created.
    IMPORTED_OBJECTS
}

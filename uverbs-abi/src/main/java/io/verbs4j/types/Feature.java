// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// What a driver or kernel may lack. A program asks before it uses one; the API refuses the rest with
/// [NotSupportedException].
public enum Feature {
    /// Shared receive queues.
    SHARED_RECEIVE_QUEUE,
    /// Completion queues that change their size.
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
    COMPLETION_TIMESTAMPS
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Limits and capabilities of a device, as reported by the kernel (`struct ibv_device_attr_ex`, man
/// ibv_query_device_ex(3)). A parameter that names only a kind of object is the maximum number of such objects.
///
/// @param firmwareVersion firmware version, 0 on rxe
/// @param nodeGuid the device's GUID, whose first byte is the number's highest byte
/// @param systemImageGuid GUID of the system that contains the device
/// @param maxMemoryRegionSize longest memory region in bytes, unsigned
/// @param pageSizeCapabilities one bit per supported page size
/// @param vendorId IEEE number of the vendor
/// @param vendorPartId part number
/// @param hardwareVersion revision
/// @param maxQueuePairs queue pairs
/// @param maxQueuePairWorkRequests outstanding work requests of one queue
/// @param capabilityFlags `IBV_DEVICE_*` bits (64)
/// @param maxScatterGather scatter/gather elements of a work request
/// @param maxScatterGatherRead scatter/gather elements of an RDMA read
/// @param maxCompletionQueues completion queues
/// @param maxCompletionQueueEntries entries of one completion queue
/// @param maxMemoryRegions memory regions
/// @param maxProtectionDomains protection domains
/// @param maxQueuePairReadAtomic incoming RDMA reads and atomics of one queue pair
/// @param maxEndToEndReadAtomic incoming RDMA reads and atomics of one end-to-end context
/// @param maxResponderResources incoming RDMA reads and atomics of all queue pairs
/// @param maxQueuePairInitReadAtomic outgoing RDMA reads and atomics of one queue pair
/// @param maxEndToEndInitReadAtomic outgoing RDMA reads and atomics of one end-to-end context
/// @param atomicCapability 0: no atomics; 1: atomic between this device's queue pairs; 2: atomic with the processor,
///     too
/// @param maxEndToEndContexts end-to-end contexts
/// @param maxReliableDatagramDomains reliable datagram domains
/// @param maxMemoryWindows memory windows
/// @param maxRawIpv6QueuePairs raw IPv6 queue pairs
/// @param maxRawEthernetQueuePairs raw Ethernet queue pairs
/// @param maxMulticastGroups multicast groups
/// @param maxMulticastQueuePairs queue pairs of one multicast group
/// @param maxTotalMulticastQueuePairs memberships of all groups
/// @param maxAddressHandles address handles
/// @param maxFastMemoryRegions fast memory regions
/// @param maxMapPerFastMemoryRegion maps of one fast memory region
/// @param maxSharedReceiveQueues shared receive queues
/// @param maxSharedReceiveQueueWorkRequests outstanding receives of one shared receive queue
/// @param maxSharedReceiveQueueScatterGather scatter/gather elements of a receive in a shared receive queue
/// @param maxPkeys P_Keys
/// @param localAckDelay exponent n of the longest delay before an acknowledgement, 4.096 µs × 2^n
/// @param ports number of ports
/// @param extended additional attributes of the extended query
public record DeviceAttributes(
        long firmwareVersion,
        long nodeGuid,
        long systemImageGuid,
        long maxMemoryRegionSize,
        long pageSizeCapabilities,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQueuePairs,
        int maxQueuePairWorkRequests,
        long capabilityFlags,
        int maxScatterGather,
        int maxScatterGatherRead,
        int maxCompletionQueues,
        int maxCompletionQueueEntries,
        int maxMemoryRegions,
        int maxProtectionDomains,
        int maxQueuePairReadAtomic,
        int maxEndToEndReadAtomic,
        int maxResponderResources,
        int maxQueuePairInitReadAtomic,
        int maxEndToEndInitReadAtomic,
        int atomicCapability,
        int maxEndToEndContexts,
        int maxReliableDatagramDomains,
        int maxMemoryWindows,
        int maxRawIpv6QueuePairs,
        int maxRawEthernetQueuePairs,
        int maxMulticastGroups,
        int maxMulticastQueuePairs,
        int maxTotalMulticastQueuePairs,
        int maxAddressHandles,
        int maxFastMemoryRegions,
        int maxMapPerFastMemoryRegion,
        int maxSharedReceiveQueues,
        int maxSharedReceiveQueueWorkRequests,
        int maxSharedReceiveQueueScatterGather,
        int maxPkeys,
        int localAckDelay,
        int ports,
        Extended extended) {

    /// `IBV_DEVICE_MEM_WINDOW_TYPE_2B`: memory windows of type 2.
    public static final long MEMORY_WINDOW_TYPE_2B = 1L << 24;
    /// `IB_UVERBS_DEVICE_FLUSH_GLOBAL`: flush to global visibility.
    public static final long FLUSH_GLOBAL = 1L << 38;
    /// `IB_UVERBS_DEVICE_FLUSH_PERSISTENT`: flush to persistence.
    public static final long FLUSH_PERSISTENT = 1L << 39;
    /// `IB_UVERBS_DEVICE_ATOMIC_WRITE`: 8-byte atomic write.
    public static final long ATOMIC_WRITE = 1L << 40;

    /// Returns whether all bits of `flags` are set in [#capabilityFlags()].
    public boolean has(long flags) {
        return (capabilityFlags & flags) == flags;
    }

    /// Attributes that only the extended query reports. All are zero if the kernel does not support that query.
    ///
    /// @param odpGeneral on-demand paging: bit 0 if supported, bit 1 if a region may cover the whole address space
    /// @param odpRc operations on RC that support on-demand paging (`IBV_ODP_SUPPORT_*`: 1 send, 2 receive, 4 write, 8
    ///     read, 16 atomic)
    /// @param odpUc operations on UC that support on-demand paging
    /// @param odpUd operations on UD that support on-demand paging
    /// @param odpXrc operations on XRC that support on-demand paging
    /// @param completionTimestampMask valid bits of completion timestamps; 0 means none
    /// @param coreClockKilohertz frequency of the device's clock in kHz; 0 means none
    /// @param maxWorkQueues receive work queues
    /// @param rawPacketCapabilities capabilities of raw packet queue pairs, `IBV_RAW_PACKET_CAP_*`
    /// @param maxTagMatchingRendezvousHeader tag matching: rendezvous header bytes; 0 means none
    /// @param maxCompletionModerationCount maximum number of completions before an event
    /// @param maxCompletionModerationMicroseconds maximum delay of an event in microseconds
    /// @param maxDeviceMemory device memory in bytes
    public record Extended(
            long odpGeneral,
            int odpRc,
            int odpUc,
            int odpUd,
            int odpXrc,
            long completionTimestampMask,
            long coreClockKilohertz,
            int maxWorkQueues,
            int rawPacketCapabilities,
            int maxTagMatchingRendezvousHeader,
            int maxCompletionModerationCount,
            int maxCompletionModerationMicroseconds,
            long maxDeviceMemory) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.CreateCompletionChannel;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryHardwareCounters;
import io.verbs4j.abi.context.QueryPkeyTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.ScatterGatherList;
import java.util.List;

/// One open device, from the provider's side. This class implements the behaviour that all drivers have in common, with
/// the kernel's generic commands. A provider overrides the methods in which its driver differs, and implements the
/// queues.
///
/// Thread-safe. The API tracks the dependencies of objects and checks arguments. A provider checks only the driver's
/// own restrictions.
public abstract class ProviderContext {
    private final CommandChannel channel;
    private final GetContext.Response context;

    /// @param channel sends the commands
    /// @param context the kernel's response to the context request
    protected ProviderContext(CommandChannel channel, GetContext.Response context) {
        this.channel = channel;
        this.context = context;
    }

    /// Returns the channel of this context's commands.
    public final CommandChannel channel() {
        return channel;
    }

    /// Returns the number of the device's completion vectors. The index of a queue's vector is less than this number.
    public final int completionVectors() {
        return context.completionVectors();
    }

    /// Returns the file of this context's asynchronous events. The API closes the file.
    public final EventFile asyncEvents() {
        return context.asyncEvents();
    }

    /// Returns the provider's name for users, such as `rxe`.
    public abstract String providerName();

    /// Returns whether driver and kernel support a feature.
    public abstract boolean supports(Feature feature);

    /// Returns the maximum number of inline bytes of a send work request. No query of the kernel reports this limit.
    public abstract int maxInlineData();

    /// Queries the device's attributes, including the extended ones if the kernel has them.
    public DeviceAttributes queryDevice() {
        return QueryDevice.execute(channel);
    }

    /// Queries the attributes of a port.
    public PortAttributes queryPort(int port) {
        return QueryPort.execute(channel, port);
    }

    /// Queries the valid entries of all ports' GID tables.
    ///
    /// @param maxEntries maximum number of entries: the sum of the ports' table lengths
    public List<GidEntry> queryGidTable(int maxEntries) {
        return QueryGidTable.execute(channel, maxEntries);
    }

    /// Queries one entry of a GID table.
    public GidEntry queryGidEntry(int port, int index) {
        return QueryGidEntry.execute(channel, port, index);
    }

    /// Queries the P_Keys of a port by index.
    public List<Integer> queryPkeys(int port) {
        return QueryPkeyTable.execute(channel, port);
    }

    /// Queries the driver's counters of a port.
    public HardwareCounters hardwareCounters(int port) {
        return QueryHardwareCounters.execute(channel, port);
    }

    /// Allocates a protection domain.
    public ProviderProtectionDomain allocateProtectionDomain() {
        // Here and below, the object is allocated before the command runs, so that a lack of heap cannot leak a handle.
        return new ProviderProtectionDomain(channel, AllocateProtectionDomain.execute(channel, DriverData.NONE));
    }

    /// Registers memory.
    ///
    /// @param address address of the first byte
    /// @param length bytes, at least 1
    /// @param iova the address of the first byte in work requests, with the same offset within a page as `address`
    /// @param accessFlags bits of [io.verbs4j.types.Access]
    public ProviderMemoryRegion registerMemory(
            ProviderProtectionDomain domain, long address, long length, long iova, int accessFlags) {
        return new ProviderMemoryRegion(
                channel,
                RegisterMemory.execute(
                        channel, domain.handle(), address, length, iova, accessFlags, DriverData.NONE));
    }

    /// Advises the kernel on memory that is registered for on-demand paging.
    ///
    /// @param advice `IB_UVERBS_ADVISE_MR_ADVICE_*`: 0 prefetch, 1 prefetch for writing, 2 prefetch without faulting
    /// @param flags bit 0: wait until the kernel has followed the advice
    public void adviseMemory(ProviderProtectionDomain domain, int advice, int flags, ScatterGatherList ranges) {
        AdviseMemory.execute(channel, domain.handle(), advice, flags, ranges);
    }

    /// Allocates a memory window.
    ///
    /// @param type 1 or 2
    public ProviderMemoryWindow allocateMemoryWindow(ProviderProtectionDomain domain, int type) {
        return new ProviderMemoryWindow(
                channel, AllocateMemoryWindow.execute(channel, domain.handle(), type, DriverData.NONE));
    }

    /// Creates a completion channel. Each record of the file is the user handle of a completion queue.
    public EventFile createCompletionChannel() {
        return CreateCompletionChannel.execute(channel);
    }

    /// Releases the provider's own resources of the context, such as mapped doorbell pages. Called after the last
    /// object of the context is closed, and before the channel is closed. If that fails, the next close of the context
    /// calls this method again. Does nothing by default.
    public void close() {}

    /// Creates an address handle.
    public abstract ProviderAddressHandle createAddressHandle(ProviderProtectionDomain domain, AddressVector path);

    /// Creates a completion queue and maps its ring.
    public abstract ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request);

    /// Creates a shared receive queue and maps its ring.
    public abstract ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request);

    /// Creates a queue pair and maps its rings.
    public abstract ProviderQueuePair createQueuePair(QueuePairRequest request);
}

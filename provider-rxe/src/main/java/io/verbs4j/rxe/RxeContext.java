// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.RingListener;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;

/// An open rxe device. It has one port, number 1.
final class RxeContext extends ProviderContext {
    /// The kernel's maximum for a queue pair: the size of 32 scatter/gather elements (`RXE_MAX_INLINE_DATA`,
    /// rxe_param.h). No query reports this limit.
    private static final int MAX_INLINE_DATA = 512;

    private static final int PORT = 1;

    private final DeviceAttributes device;
    private final long maxMessage;
    private final @Nullable RingListener listener;

    private RxeContext(
            CommandChannel channel,
            GetContext.Response response,
            DeviceAttributes device,
            long maxMessage,
            @Nullable RingListener listener) {
        super(channel, response);
        this.device = device;
        this.maxMessage = maxMessage;
        this.listener = listener;
    }

    /// Creates a context, and queries the device's limits.
    static RxeContext open(CommandChannel channel, @Nullable RingListener listener) {
        try (var rollback = new Rollback()) {
            GetContext.Response response = rollback.make(
                    () -> GetContext.execute(channel, DriverData.NONE), made -> made.asyncEvents().close());
            var context = new RxeContext(
                    channel,
                    response,
                    QueryDevice.execute(channel),
                    QueryPort.execute(channel, PORT).maxMessageSize(),
                    listener);
            rollback.keep();
            return context;
        }
    }

    @Override
    public String providerName() {
        return RxeProviderFactory.NAME;
    }

    @Override
    public int maxInlineData() {
        return MAX_INLINE_DATA;
    }

    /// Returns the longest message of the port: 8 MiB on Linux 6.1, 2 GiB on later kernels. The kernel checks this
    /// limit only for its own work requests (`validate_send_wr`, rxe_verbs.c).
    long maxMessage() {
        return maxMessage;
    }

    /// Returns the listener of the rings, or null.
    @Nullable
    RingListener listener() {
        return listener;
    }

    /// Returns the device's capability flags.
    long deviceCapabilities() {
        return device.capabilityFlags();
    }

    /// Queries the current longest payload of a packet, in bytes. This limit follows the network interface's MTU.
    int activeMtu() {
        return queryPort(PORT).activeMtu().bytes();
    }

    /// The device's attributes report most features, but not re-registration (since Linux 6.4). Therefore, a probe
    /// tries to change a region that does not exist. The errno shows whether the kernel supports the command.
    @Override
    public boolean supports(Feature feature) {
        return switch (feature) {
            case SHARED_RECEIVE_QUEUE -> device.maxSharedReceiveQueues() > 0;
            case RESIZE_COMPLETION_QUEUE, MEMORY_WINDOW_TYPE_1 -> true;
            case ATOMICS -> device.atomicCapability() != 0;
            case ATOMIC_WRITE -> device.has(DeviceAttributes.ATOMIC_WRITE);
            case FLUSH_GLOBAL -> device.has(DeviceAttributes.FLUSH_GLOBAL);
            case FLUSH_PERSISTENT -> device.has(DeviceAttributes.FLUSH_PERSISTENT);
            case MEMORY_WINDOW_TYPE_2 -> device.has(DeviceAttributes.MEMORY_WINDOW_TYPE_2B);
            case REREGISTER_MEMORY -> canReregister();
            case ON_DEMAND_PAGING -> (device.extended().odpGeneral() & 1) != 0;
            case MULTICAST -> device.maxMulticastGroups() > 0;
            case EXTENDED_RELIABLE_CONNECTION, RAW_PACKET, FLOW_STEERING, WORK_QUEUES, COUNTERS, DEVICE_MEMORY,
                    PARENT_DOMAIN, DMA_BUF, TAG_MATCHING, COMPLETION_TIMESTAMPS, DEVICE_CLOCK,
                    COMPLETION_MODERATION, RATE_LIMIT, DATA_IN_ORDER, COMPLETION_COUNTERS, DMA_HANDLES,
                    EFFECTIVE_PORT_SPEED, ENHANCED_CONNECTION, IMPORTED_OBJECTS ->
                false;
        };
    }

    private boolean canReregister() {
        var nothing = new ReregisterMemory.Request(ReregisterMemory.ACCESS, 0, 0, 0, 0, 0);
        try {
            ReregisterMemory.execute(channel(), ReregisterMemory.NO_REGION, nothing, DriverData.NONE);
            return true;
        } catch (NotSupportedException absent) {
            return false;
        } catch (VerbsException noSuchRegion) {
            return true;
        }
    }

    @Override
    public ProviderAddressHandle createAddressHandle(ProviderProtectionDomain domain, AddressVector path) {
        return RxeAddressHandle.create(channel(), domain, path);
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        RxeCompletionQueue queue = RxeCompletionQueue.create(channel(), request);
        return listener == null ? queue : new ObservedCompletionQueue(queue, listener);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request) {
        return RxeSharedReceiveQueue.create(channel(), request, listener);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return RxeQueuePair.create(this, request);
    }
}

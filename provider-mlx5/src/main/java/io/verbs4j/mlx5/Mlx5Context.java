// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// An open mlx5 device.
final class Mlx5Context extends ProviderContext {
    private static final int PORT = 1;
    private static final int REGISTERS = 16;
    private static final int LOW_LATENCY = 4;
    /// `MLX5_LIB_CAP_4K_UAR`.
    private static final int PAGES_OF_4096 = 1;

    /// Mellanox's vendor id, and the supported generations: from Connect-IB to ConnectX-8, and from BlueField to
    /// BlueField-3.
    private static final int VENDOR = 0x2c9;

    private static final Set<Integer> PARTS = Set.of(
            4113, 4114, 4115, 4116, 4117, 4118, 4119, 4120, 4121, 4122, 4123, 4124, 4125, 4126, 4127, 4129, 4131, 41682,
            41683, 41686, 41692);

    private final DeviceAttributes device;
    private final long maxMessage;
    private final QueueSizes.Device limits;
    private final DoorbellPages pages;
    private final NumberTable<Mlx5QueuePair> queuePairs = new NumberTable<>();
    private final NumberTable<Mlx5SharedReceiveQueue> sharedQueues = new NumberTable<>();
    private final NumberTable<Mlx5MemoryWindow> windows = new NumberTable<>();

    private Mlx5Context(
            CommandChannel channel,
            GetContext.Response response,
            DeviceAttributes device,
            long maxMessage,
            QueueSizes.Device limits,
            DoorbellPages pages) {
        super(channel, response);
        this.device = device;
        this.maxMessage = maxMessage;
        this.limits = limits;
        this.pages = pages;
    }

    /// Creates a context, queries the device's limits, and maps the doorbell pages.
    static Mlx5Context open(CommandChannel channel) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment wanted = CommandStructs.CONTEXT_REQUEST.allocate(arena);
            CommandStructs.CONTEXT_REQUEST
                    .view(wanted)
                    .set("total_num_bfregs", REGISTERS)
                    .set("num_low_latency_bfregs", LOW_LATENCY)
                    .set("lib_caps", PAGES_OF_4096);
            MemorySegment answer = CommandStructs.CONTEXT_ANSWER.allocate(arena);
            GetContext.Response response = rollback.make(
                    () -> GetContext.execute(channel, new DriverData(wanted, answer)),
                    made -> made.asyncEvents().close());
            CView view = CommandStructs.CONTEXT_ANSWER.view(answer);
            DeviceAttributes device = QueryDevice.execute(channel);
            requireKnown(device.vendorId(), device.vendorPartId(), view.getInt("cqe_version"));
            var context = new Mlx5Context(
                    channel,
                    response,
                    device,
                    QueryPort.execute(channel, PORT).maxMessageSize(),
                    QueueSizes.Device.read(view),
                    DoorbellPages.map(channel, view, rollback));
            rollback.keep();
            return context;
        }
    }

    /// Refuses devices with another format of work requests.
    static void requireKnown(int vendor, int part, int completionVersion) {
        if (vendor != VENDOR || !PARTS.contains(part)) {
            throw refusal("vendor=0x" + Integer.toHexString(vendor) + ", part=" + part
                    + ": the mlx5 provider does not support this generation of cards");
        }
        if (completionVersion != 0) {
            throw refusal("completionVersion=" + completionVersion
                    + ": the kernel requires a form of completions that the provider does not support");
        }
    }

    private static NotSupportedException refusal(String reason) {
        return new NotSupportedException("open mlx5 device", Errno.EOPNOTSUPP, reason);
    }

    @Override
    public String providerName() {
        return Mlx5ProviderFactory.NAME;
    }

    QueueSizes.Device limits() {
        return limits;
    }

    long maxMessage() {
        return maxMessage;
    }

    NumberTable<Mlx5QueuePair> queuePairs() {
        return queuePairs;
    }

    NumberTable<Mlx5SharedReceiveQueue> sharedQueues() {
        return sharedQueues;
    }

    NumberTable<Mlx5MemoryWindow> windows() {
        return windows;
    }

    DoorbellRegister register(int index) {
        return pages.register(index);
    }

    DoorbellRegister completionDoorbell() {
        return pages.completions();
    }

    /// Returns the remaining bytes of the longest work request after the segments of a connected queue pair.
    @Override
    public int maxInlineData() {
        return QueueSizes.maxInline(limits);
    }

    @Override
    public boolean supports(Feature feature) {
        return switch (feature) {
            case SHARED_RECEIVE_QUEUE -> device.maxSharedReceiveQueues() > 0;
            case RESIZE_COMPLETION_QUEUE, REREGISTER_MEMORY -> true;
            case ATOMICS -> device.atomicCapability() != 0;
            case MEMORY_WINDOW_TYPE_1 -> device.maxMemoryWindows() > 0;
            case MEMORY_WINDOW_TYPE_2 -> device.has(DeviceAttributes.MEMORY_WINDOW_TYPE_2B);
            case MULTICAST -> device.maxMulticastGroups() > 0;
            default -> false;
        };
    }

    @Override
    public ProviderProtectionDomain allocateProtectionDomain() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = CommandStructs.DOMAIN_ANSWER.allocate(arena);
            return new ProviderProtectionDomain(
                    channel(), AllocateProtectionDomain.execute(channel(), DriverData.out(answer)));
        }
    }

    @Override
    public ProviderMemoryWindow allocateMemoryWindow(ProviderProtectionDomain domain, int type) {
        return Mlx5MemoryWindow.allocate(channel(), domain, type, windows);
    }

    @Override
    public ProviderAddressHandle createAddressHandle(ProviderProtectionDomain domain, AddressVector path) {
        return Mlx5AddressHandle.create(channel(), domain, path);
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        return Mlx5CompletionQueue.create(this, request);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request) {
        return Mlx5SharedReceiveQueue.create(this, request);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return Mlx5QueuePair.create(this, request);
    }

    @Override
    public void close() {
        pages.unmap(channel());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An open siw device. It has one port, number 1.
final class SiwContext extends ProviderContext {
    private static final int PORT = 1;

    private final DeviceAttributes device;
    private final long maxMessage;

    private SiwContext(
            CommandChannel channel, GetContext.Response response, DeviceAttributes device, long maxMessage) {
        super(channel, response);
        this.device = device;
        this.maxMessage = maxMessage;
    }

    /// Creates a context, and queries the device's limits.
    static SiwContext open(CommandChannel channel) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = arena.allocate(SiwStructs.ALLOC_CTX.layout());
            GetContext.Response response = rollback.make(
                    () -> GetContext.execute(channel, DriverData.out(answer)), made -> made.asyncEvents().close());
            // The port reports 4 GiB - 1, but the kernel sums the buffers in an int (siw_qp_tx.c).
            long port = QueryPort.execute(channel, PORT).maxMessageSize();
            var context = new SiwContext(
                    channel, response, QueryDevice.execute(channel), Math.min(port, Integer.MAX_VALUE));
            rollback.keep();
            return context;
        }
    }

    @Override
    public String providerName() {
        return SiwProviderFactory.NAME;
    }

    @Override
    public int maxInlineData() {
        return Elements.MAX_INLINE;
    }

    /// Returns the longest message that siw can count.
    long maxMessage() {
        return maxMessage;
    }

    @Override
    public boolean supports(Feature feature) {
        return feature == Feature.SHARED_RECEIVE_QUEUE && device.maxSharedReceiveQueues() > 0;
    }

    /// Registers memory with keys whose lowest 8 bits are 0, because siw requires a value for these bits. Rejects an
    /// `iova` other than the memory's own address: siw would ignore it (`siw_reg_user_mr`, siw_verbs.c), and peers
    /// would access the wrong bytes.
    @Override
    public ProviderMemoryRegion registerMemory(
            ProviderProtectionDomain domain, long address, long length, long iova, int accessFlags) {
        if (iova != address) {
            throw SiwRefusals.unsupported(
                    "register memory", "siw supports only the memory's own address: iova=" + iova);
        }
        try (Arena arena = Arena.ofConfined()) {
            var driver = new DriverData(
                    arena.allocate(SiwStructs.REG_MR_REQUEST.layout()), arena.allocate(SiwStructs.REG_MR.layout()));
            return new ProviderMemoryRegion(
                    channel(),
                    RegisterMemory.execute(channel(), domain.handle(), address, length, iova, accessFlags, driver));
        }
    }

    @Override
    public ProviderMemoryWindow allocateMemoryWindow(ProviderProtectionDomain domain, int type) {
        throw SiwRefusals.unsupported(
                "allocate memory window", "siw has no memory windows: register a separate region for the peer");
    }

    @Override
    public ProviderAddressHandle createAddressHandle(ProviderProtectionDomain domain, AddressVector path) {
        throw SiwRefusals.unsupported(
                "create address handle", "siw has no datagrams: connect a reliable connection instead");
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        return SiwCompletionQueue.create(channel(), request);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request) {
        return SiwSharedReceiveQueue.create(channel(), request);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return SiwQueuePair.create(this, request);
    }
}

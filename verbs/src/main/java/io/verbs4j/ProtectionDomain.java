// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Feature;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A group of objects that may be used together: a queue pair can access only memory of its own domain. Thread-safe.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
public final class ProtectionDomain extends VerbsObject {
    private final Context context;
    private final ProviderProtectionDomain provider;
    private final RetiredAddressHandles retiredHandles = new RetiredAddressHandles();

    ProtectionDomain(Context context, ProviderProtectionDomain provider) {
        super(List.of(context));
        this.context = context;
        this.provider = provider;
    }

    /// Returns the context that the domain was created from.
    public Context context() {
        return context;
    }

    /// Allocates zeroed, page-aligned memory and registers it. Closing the region frees the memory.
    ///
    /// @param bytes at least 1
    /// @param access the region's rights; without any, the region permits only local reads
    /// @throws io.verbs4j.types.ResourceLimitException if the process may not lock that much memory (`ulimit -l`)
    public MemoryRegion allocate(long bytes, Access... access) {
        return allocate(bytes, Access.mask(access));
    }

    /// Allocates and registers memory, as [#allocate(long, Access...)] does.
    ///
    /// @param accessFlags bits of [Access]
    public MemoryRegion allocate(long bytes, int accessFlags) {
        Ranges.check("bytes", bytes, 1, Long.MAX_VALUE);
        try (var rollback = new Rollback()) {
            Arena arena = rollback.make(Arena::ofShared, Arena::close);
            MemorySegment memory = context.provider().channel().file().allocate(bytes, arena);
            MemoryRegion region = register(memory, accessFlags, arena);
            rollback.keep();
            return region;
        }
    }

    /// Registers native memory of the caller. The region keeps the segment reachable. If the segment's arena can be
    /// closed, keep the arena open until the region is closed. Otherwise, the device accesses freed memory. On
    /// simulated devices, work requests that use freed memory fail.
    ///
    /// @param segment native memory of at least 1 byte; a heap array cannot be registered, since the garbage collector
    ///     moves it
    /// @param access the region's rights; without any, the region permits only local reads
    /// @throws io.verbs4j.types.ResourceLimitException if the process may not lock that much memory (`ulimit -l`)
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
    public MemoryRegion register(MemorySegment segment, Access... access) {
        return register(segment, Access.mask(access));
    }

    /// Registers native memory, as [#register(MemorySegment, Access...)] does.
    ///
    /// @param accessFlags bits of [Access]
    public MemoryRegion register(MemorySegment segment, int accessFlags) {
        return register(segment, accessFlags, null);
    }

    private MemoryRegion register(MemorySegment segment, int access, @Nullable Arena owned) {
        return registerAt(segment, segment.isNative() ? segment.address() : 0, access, owned);
    }

    /// Registers native memory under other addresses: in work requests of both ends, the first byte has the address
    /// `iova`.
    ///
    /// @param iova unsigned address with the same offset within a page as the memory
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr_iova(3)</a>
    public MemoryRegion registerAt(MemorySegment segment, long iova, Access... access) {
        return registerAt(segment, iova, Access.mask(access));
    }

    /// Registers native memory under other addresses, as [#registerAt(MemorySegment, long, Access...)] does.
    ///
    /// @param accessFlags bits of [Access]
    public MemoryRegion registerAt(MemorySegment segment, long iova, int accessFlags) {
        return registerAt(segment, iova, accessFlags, null);
    }

    private MemoryRegion registerAt(
            MemorySegment segment, long iova, int access, @Nullable Arena owned) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "only native memory can be registered, a heap array moves: use Arena.allocate or"
                            + " ProtectionDomain.allocate");
        }
        Ranges.check("segment.byteSize", segment.byteSize(), 1, Long.MAX_VALUE);
        if (Long.compareUnsigned(iova, -segment.byteSize()) > 0) { // the kernel would accept it, and grant no access
            throw new IllegalArgumentException("iova=0x" + Long.toHexString(iova) + " and " + segment.byteSize()
                    + " bytes go beyond the last address");
        }
        MemoryRegion.requireWritable(segment, access);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the segment's arena is closed");
        }
        return create(List.of(this), rollback -> {
            ProviderMemoryRegion made = rollback.make(
                    () -> context.provider()
                            .registerMemory(provider, segment.address(), segment.byteSize(), iova, access),
                    ProviderMemoryRegion::deregister);
            made.attach(segment);
            return new MemoryRegion(this, segment, iova, access, owned, made);
        });
    }

    /// Advises the kernel on parts of regions that are registered [on demand][Access#ON_DEMAND]. The kernel fetches
    /// other pages when a work request needs them.
    ///
    /// @param wait true to return after the kernel has followed the advice, and to report failures. If false, the
    ///     kernel may follow the advice later or not at all
    /// @param parts the parts, possibly none; a part of length 0 has no effect
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([Feature#ON_DEMAND_PAGING])
    /// @throws IllegalArgumentException if a region belongs to another domain, or is not registered on demand
    public void advise(MemoryAdvice advice, boolean wait, LocalMemory... parts) {
        context.require(Feature.ON_DEMAND_PAGING);
        var ranges = new ScatterGatherList();
        for (LocalMemory part : parts) {
            part.region().addTo(ranges, this, part.offset(), part.length());
        }
        if (ranges.size() > 0) {
            whileOpen(() -> context.provider()
                    .adviseMemory(provider, advice.value(), wait ? AdviseMemory.FLUSH : 0, ranges));
        }
    }

    /// Returns a builder for a reliable connection (RC). By default, sends and receives complete in `queue`.
    public QueuePairBuilder reliableConnection(CompletionQueue queue) {
        return queuePair(QueuePairType.RC, queue);
    }

    /// Returns a builder for an unreliable connection (UC). By default, sends and receives complete in `queue`.
    public QueuePairBuilder unreliableConnection(CompletionQueue queue) {
        return queuePair(QueuePairType.UC, queue);
    }

    /// Returns a builder for a datagram queue pair (UD). By default, sends and receives complete in `queue`.
    public QueuePairBuilder datagram(CompletionQueue queue) {
        return queuePair(QueuePairType.UD, queue);
    }

    /// Returns a builder for a queue pair of any transport. By default, sends and receives complete in `queue`.
    ///
    /// @throws io.verbs4j.types.NotSupportedException if the device does not support the transport
    ///     ([QueuePairType#feature()])
    public QueuePairBuilder queuePair(QueuePairType type, CompletionQueue queue) {
        type.feature().ifPresent(context::require);
        return new QueuePairBuilder(this, type, queue);
    }

    /// Creates an address handle: the path of datagrams to one destination. The kernel resolves the destination's link
    /// address during the call, which can take about a second.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html">ibv_create_ah(3)</a>
    public AddressHandle createAddressHandle(AddressVector path) {
        Ranges.check("port", path.port(), 1, context.attributes().ports());
        retiredHandles.sweep();
        return create(
                List.of(this),
                rollback -> new AddressHandle(
                        this,
                        path,
                        rollback.make(
                                () -> context.provider().createAddressHandle(provider, path),
                                ProviderAddressHandle::destroy)));
    }

    /// Creates an address handle for the path back to a datagram's sender.
    ///
    /// @param header the header in front of the received datagram
    /// @param port the port on which the datagram arrived
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah_from_wc.3.html">ibv_create_ah_from_wc(3)</a>
    public AddressHandle createAddressHandle(GlobalRouteHeader header, int port) {
        return createAddressHandle(header.replyPath(context, port));
    }

    /// Creates a shared receive queue.
    ///
    /// @param maxWorkRequests receives that the queue must hold, at least 1
    /// @param maxScatterGather scatter/gather elements of each receive
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([Feature#SHARED_RECEIVE_QUEUE])
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html">ibv_create_srq(3)</a>
    public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
        context.require(Feature.SHARED_RECEIVE_QUEUE);
        var limits = context.attributes();
        Ranges.check("maxWorkRequests", maxWorkRequests, 1, limits.maxSharedReceiveQueueWorkRequests());
        Ranges.check("maxScatterGather", maxScatterGather, 0, limits.maxSharedReceiveQueueScatterGather());
        return create(
                List.of(this),
                rollback -> SharedReceiveQueue.of(this, maxWorkRequests, maxScatterGather, rollback));
    }

    /// Allocates a memory window: a key that can be bound to a part of a region and revoked again.
    ///
    /// @param type the kind of binds that the window supports
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support windows of this type
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_mw.3.html">ibv_alloc_mw(3)</a>
    public MemoryWindow allocateMemoryWindow(MemoryWindow.Type type) {
        context.require(type.feature());
        return create(
                List.of(this),
                rollback -> new MemoryWindow(
                        this,
                        type,
                        rollback.make(
                                () -> context.provider().allocateMemoryWindow(provider, type.value()),
                                ProviderMemoryWindow::deallocate)));
    }

    ProviderProtectionDomain provider() {
        return provider;
    }

    RetiredAddressHandles retiredHandles() {
        return retiredHandles;
    }

    /// Returns the dependencies of a new queue pair or shared receive queue: this domain, and `others`.
    List<VerbsObject> dependenciesWith(List<? extends VerbsObject> others) {
        var dependencies = new ArrayList<VerbsObject>(List.of(this));
        for (VerbsObject other : others) {
            if (!dependencies.contains(other)) {
                dependencies.add(other);
            }
        }
        return dependencies;
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.PROTECTION_DOMAIN;
    }

    @Override
    void destroy() {
        retiredHandles.destroyAll();
        provider.deallocate();
    }

    @Override
    public String toString() {
        return "protection domain " + provider.handle();
    }
}

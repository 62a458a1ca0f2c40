// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Registered memory, which the device may access. A region has one key for this end's work requests, and one for the
/// peer's. Thread-safe.
///
/// After [#close()], neither key is valid any more. If the caller supplied the memory, close the region before freeing
/// the memory. Otherwise, the device may write to freed memory.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
public final class MemoryRegion extends VerbsObject {
    private static final int REMOTE_ACCESS = Access.mask(
            Access.REMOTE_READ,
            Access.REMOTE_WRITE,
            Access.REMOTE_ATOMIC,
            Access.FLUSH_GLOBAL,
            Access.FLUSH_PERSISTENT);

    private static final int WRITING =
            Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    /// The last result of [#remote()], so that calling it for each work request does not allocate.
    private @Nullable RemoteMemory remembered;

    /// Longest range of one advice, whose length is an `int`. It is a multiple of any page size.
    private static final long MAX_PIECE = 1L << 30;

    /// The parts of a registration that can change.
    record Registration(ProtectionDomain domain, int access, int localKey, int remoteKey) {
        /// Returns whether the device may write to the region for this end's work requests.
        boolean grantsLocalWrite() {
            return (access & Access.LOCAL_WRITE.value()) != 0;
        }
    }

    private final MemorySegment segment;
    private final long address;
    private final long length;
    private final @Nullable Arena owned;
    /// Null after the registration has ended, even if freeing the memory has failed and the region is still open.
    private volatile @Nullable ProviderMemoryRegion provider;
    /// Held while the kernel changes the registration and the result is recorded.
    private final ReentrantLock changes = new ReentrantLock();
    private volatile Registration registration; // written with the lock

    MemoryRegion(
            ProtectionDomain domain,
            MemorySegment segment,
            long iova,
            int access,
            @Nullable Arena owned,
            ProviderMemoryRegion provider) {
        super(List.of(domain));
        this.segment = segment;
        this.address = iova;
        this.length = segment.byteSize();
        this.registration = new Registration(domain, access, provider.lkey(), provider.rkey());
        this.owned = owned;
        this.provider = provider;
    }

    /// Returns the protection domain that the region belongs to.
    public ProtectionDomain protectionDomain() {
        return registration.domain;
    }

    /// Returns the memory. Closing the region frees it only if [ProtectionDomain#allocate] allocated it.
    public MemorySegment segment() {
        return segment;
    }

    /// Returns the address by which work requests refer to the first byte: the memory's own address, or the `iova` of
    /// [ProtectionDomain#registerAt].
    public long address() {
        return address;
    }

    /// Returns the length in bytes.
    public long length() {
        return length;
    }

    /// Returns the current rights of the region.
    public Set<Access> access() {
        return Access.of(registration.access);
    }

    /// Returns the lkey, for this end's work requests. Peers cannot use it.
    public int localKey() {
        return registration.localKey;
    }

    /// Returns the rkey, for the peer's work requests.
    public int remoteKey() {
        return registration.remoteKey;
    }

    /// Returns the whole region, for a work request of this end.
    public LocalMemory local() {
        return new LocalMemory(this, 0, length);
    }

    /// Returns a part of the region, for a work request of this end.
    ///
    /// @throws IndexOutOfBoundsException if the part exceeds the region
    public LocalMemory slice(long offset, long bytes) {
        return new LocalMemory(this, offset, bytes);
    }

    /// Returns address, length and rkey of the whole region. Send them to the peer, which needs them to access the
    /// region.
    ///
    /// @throws IllegalStateException if the region grants no remote access
    public RemoteMemory remote() {
        Registration now = registration;
        if ((now.access & REMOTE_ACCESS) == 0) {
            throw grantsNothing(now);
        }
        RemoteMemory known = remembered;
        if (known == null || known.remoteKey() != now.remoteKey || known.address() != address
                || known.length() != length) {
            known = new RemoteMemory(address, length, now.remoteKey);
            remembered = known;
        }
        return known;
    }

    private IllegalStateException grantsNothing(Registration now) {
        return new IllegalStateException(this + " grants the peer nothing"
                + ((now.access & Access.MEMORY_WINDOW_BIND.value()) != 0
                        ? " except through a memory window: bind one and use MemoryWindow.remote(region, offset,"
                                + " length), or register the region also with REMOTE_READ,"
                        : ": register it with REMOTE_READ,")
                + " REMOTE_WRITE or REMOTE_ATOMIC");
    }

    /// Moves the region to another protection domain. The keys may change.
    ///
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([io.verbs4j.types.Feature#REREGISTER_MEMORY])
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_rereg_mr.3.html">ibv_rereg_mr(3)</a>
    public void moveTo(ProtectionDomain other) {
        if (other.context() != registration.domain.context()) {
            throw new IllegalArgumentException(other + " belongs to another context");
        }
        change(() -> changeDependency(registration.domain, other, () -> {
            var keys = reregister(new ReregisterMemory.Request(
                    ReregisterMemory.PROTECTION_DOMAIN, 0, 0, 0, other.provider().handle(), 0));
            registration = new Registration(other, registration.access, keys.lkey(), keys.rkey());
        }));
    }

    private void change(Runnable command) {
        changes.lock();
        try {
            command.run();
        } finally {
            changes.unlock();
        }
    }

    /// Changes the region's rights. The keys may change.
    ///
    /// @throws io.verbs4j.types.VerbsException `EACCES` if the new rights permit writes, and the region was registered
    ///     without a right to write. Linux before 7.1 may permit this change
    /// @throws IllegalArgumentException if the new rights permit writes to a read-only segment
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([io.verbs4j.types.Feature#REREGISTER_MEMORY])
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_rereg_mr.3.html">ibv_rereg_mr(3)</a>
    public void changeAccess(Access... access) {
        changeAccess(Access.mask(access));
    }

    /// Changes the region's rights, as [#changeAccess(Access...)] does.
    ///
    /// @param accessFlags bits of [Access]
    public void changeAccess(int accessFlags) {
        requireWritable(segment, accessFlags);
        change(() -> whileOpen(() -> {
            var keys = reregister(new ReregisterMemory.Request(ReregisterMemory.ACCESS, 0, 0, 0, 0, accessFlags));
            registration = new Registration(registration.domain, accessFlags, keys.lkey(), keys.rkey());
        }));
    }

    /// Checks that the rights permit no writes to a read-only segment.
    static void requireWritable(MemorySegment segment, int access) {
        if (segment.isReadOnly() && (access & WRITING) != 0) {
            throw new IllegalArgumentException("a read-only segment cannot be registered with " + Access.of(access));
        }
    }

    private ReregisterMemory.Response reregister(ReregisterMemory.Request request) {
        registration.domain.context().require(Feature.REREGISTER_MEMORY);
        ProviderMemoryRegion present = provider;
        if (present == null) {
            throw closed();
        }
        return present.reregister(request);
    }

    /// Prefetches pages of a region that is registered [on demand][Access#ON_DEMAND], and waits until they are present.
    ///
    /// @param offset first byte in the region
    /// @param bytes length of the part
    /// @param forWriting whether the pages will be written
    /// @throws IllegalArgumentException if the region is not registered on demand
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([io.verbs4j.types.Feature#ON_DEMAND_PAGING])
    /// @see ProtectionDomain#advise
    public void prefetch(long offset, long bytes, boolean forWriting) {
        registration.domain.advise(
                forWriting ? MemoryAdvice.PREFETCH_WRITE : MemoryAdvice.PREFETCH, true, slice(offset, bytes));
    }

    /// Adds a part of the region to a list, in pieces whose lengths fit an element.
    void addTo(ScatterGatherList list, ProtectionDomain user, long offset, long bytes) {
        long address = addressFor(user, offset, bytes);
        Registration now = registration;
        if ((now.access & Access.ON_DEMAND.value()) == 0) {
            throw new IllegalArgumentException(
                    this + " is pinned: advice is only possible for regions registered with ON_DEMAND");
        }
        for (long done = 0; done < bytes;) {
            int piece = (int) Math.min(bytes - done, MAX_PIECE);
            list.add(address + done, piece, now.localKey);
            done += piece;
        }
    }

    /// Checks that a work request of `user` may use `bytes` bytes at `offset`, and returns their address.
    long addressFor(ProtectionDomain user, long offset, long bytes) {
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new IndexOutOfBoundsException(
                    "offset=" + offset + " length=" + bytes + " exceeds " + this);
        }
        requireOpen();
        if (provider == null) {
            throw closed();
        }
        if (user != registration.domain) {
            throw new IllegalArgumentException(this + " belongs to another protection domain than the queue");
        }
        if (!segment.scope().isAlive()) {
            throw freed();
        }
        return address + offset;
    }

    Registration registration() {
        return registration;
    }

    private IllegalStateException freed() {
        return new IllegalStateException("the memory of " + this + " was freed while it was registered");
    }

    /// Checks that the device may write to the region.
    void requireLocalWrite(String operation) {
        if (!registration.grantsLocalWrite()) {
            throw new IllegalArgumentException(operation + " writes to " + this + ", which lacks LOCAL_WRITE");
        }
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.MEMORY_REGION;
    }

    @Override
    void destroy() {
        if (provider != null) {
            provider.deregister();
            provider = null;
        }
        if (owned != null) {
            owned.close();
        }
    }

    @Override
    public String toString() {
        return "memory region of " + length + " bytes (lkey 0x" + Integer.toHexString(registration.localKey) + ")";
    }
}

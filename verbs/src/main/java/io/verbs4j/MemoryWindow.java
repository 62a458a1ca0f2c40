// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A key for a part of a memory region. One work request binds the key to the part, and another one revokes it, without
/// the cost of a registration. Thread-safe, but two threads must not bind the same window concurrently.
///
/// Closing a queue pair closes the type 2 windows whose last bind went through the queue pair, because their keys are
/// invalid without the queue pair. This includes windows that were invalidated after the bind.
///
/// rxe checks the peer's requests against the window's rights, but against the bounds of the whole region. Therefore,
/// the window's key gives the peer access to the whole region (`check_rkey`, rxe_resp.c). If the peer must not access
/// the rest, register a separate region.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_mw.3.html">ibv_alloc_mw(3)</a>
public final class MemoryWindow extends VerbsObject {
    /// Kind of binds that a window supports (`enum ibv_mw_type`; IBA vol. 1, 10.6.7.2).
    public enum Type {
        /// `IBV_MW_TYPE_1`: can be bound repeatedly. A bind of length 0 unbinds the window.
        TYPE_1(1, Feature.MEMORY_WINDOW_TYPE_1),
        /// `IBV_MW_TYPE_2`: bound through one queue pair; an invalidation by either end unbinds the window.
        TYPE_2(2, Feature.MEMORY_WINDOW_TYPE_2);

        private final int value;
        private final Feature feature;

        Type(int value, Feature feature) {
            this.value = value;
            this.feature = feature;
        }

        int value() {
            return value;
        }

        Feature feature() {
            return feature;
        }
    }

    /// Represents the rights of a region of which only the key is known.
    static final int UNKNOWN_RIGHTS = -1;

    /// Rights for which a device refuses the bind.
    private static final int NO_RIGHTS_OF_WINDOWS =
            ~Access.mask(Access.values()) | Access.mask(Access.HUGE_PAGES);

    private final ProtectionDomain domain;
    private final Type type;
    private final ProviderMemoryWindow provider;
    private volatile int remoteKey;
    /// The queue pairs through which a type 2 window was bound. Empty for a type 1 window.
    private final Set<QueuePair> binders = ConcurrentHashMap.newKeySet();
    /// Created with the window, since a close must not need heap.
    private final Consumer<QueuePair> leaving;
    private final AtomicReference<@Nullable QueuePair> lastBinder = new AtomicReference<>();

    MemoryWindow(ProtectionDomain domain, Type type, ProviderMemoryWindow provider) {
        super(List.of(domain));
        this.domain = domain;
        this.type = type;
        this.provider = provider;
        this.remoteKey = provider.rkey();
        this.leaving = binder -> binder.boundWindows().remove(this);
    }

    /// Returns the protection domain that the window belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// Returns the kind of binds that the window supports.
    public Type type() {
        return type;
    }

    /// Returns the key for the peer, as of the last posted bind.
    public int remoteKey() {
        return remoteKey;
    }

    /// Returns `memory` with the window's key, to be sent to the peer. Use [#remote(MemoryRegion, long, long)] if the
    /// region itself grants no remote access.
    ///
    /// @param memory the memory to which the window was bound
    public RemoteMemory remote(RemoteMemory memory) {
        return new RemoteMemory(memory.address(), memory.length(), remoteKey);
    }

    /// Returns address and length of a part of a region with the window's key, to be sent to the peer. The region
    /// itself need not grant remote access.
    ///
    /// @param region the region to which the window was bound; the part must lie in the bound range
    /// @param offset first byte in the region
    /// @param length bytes
    /// @throws IndexOutOfBoundsException if the part exceeds the region
    public RemoteMemory remote(MemoryRegion region, long offset, long length) {
        return new RemoteMemory(region.addressFor(domain, offset, length), length, remoteKey);
    }

    /// Returns the key of the next bind. Its lowest 8 bits, which the specification leaves to the user, are
    /// incremented.
    int nextKey(ProtectionDomain user) {
        requireOpen();
        if (user != domain) {
            throw new IllegalArgumentException(this + " belongs to another protection domain than the queue pair");
        }
        return key(remoteKey + 1);
    }

    /// Checks that a bind can succeed. Otherwise, a device refuses it and moves the queue pair to ERR (IBA vol. 1,
    /// 10.6.7.2).
    ///
    /// @param length bytes in the bound range
    /// @param localKey key of the region
    /// @param granted rights of the region: bits of [Access], or [#UNKNOWN_RIGHTS] for memory that is not checked
    void requireBindable(int accessFlags, long length, int localKey, int granted) {
        if (type == Type.TYPE_2 && length == 0) {
            throw new IllegalArgumentException(
                    this + " is of type 2, which cannot be bound to length=0: invalidate its key to unbind it");
        }
        if (type == Type.TYPE_1 && (accessFlags & Access.ZERO_BASED.value()) != 0) {
            throw new IllegalArgumentException(this + " is of type 1, but ZERO_BASED is for windows of type 2");
        }
        if ((accessFlags & NO_RIGHTS_OF_WINDOWS) != 0) {
            throw new IllegalArgumentException("accessFlags=0x" + Integer.toHexString(accessFlags)
                    + " contains rights that no memory window has: 0x"
                    + Integer.toHexString(accessFlags & NO_RIGHTS_OF_WINDOWS));
        }
        if (length == 0 || granted == UNKNOWN_RIGHTS) {
            return;
        }
        int missing = Access.MEMORY_WINDOW_BIND.value()
                | ((accessFlags & Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) == 0 ? 0
                        : Access.LOCAL_WRITE.value());
        missing &= ~granted;
        if (missing != 0) {
            throw new IllegalArgumentException(
                    this + " cannot be bound for " + Access.of(accessFlags) + " to " + region(localKey)
                            + ", which lacks " + Access.of(missing) + ": register the region with it");
        }
        if ((granted & Access.ZERO_BASED.value()) != 0) {
            throw new IllegalArgumentException(
                    this + " cannot be bound to " + region(localKey)
                            + ", which is ZERO_BASED: register the region without it");
        }
    }

    private static String region(int localKey) {
        return "the memory region of lkey 0x" + Integer.toHexString(localKey);
    }

    void bound(int newKey) {
        remoteKey = newKey;
    }

    /// Reverts the last [#bound(int)]: its work request was not posted.
    void notBound() {
        remoteKey = key(remoteKey - 1);
    }

    /// Records that a bind is about to be submitted to the device.
    @SuppressWarnings("ReferenceEquality") // a queue pair is only itself
    void boundThrough(QueuePair queuePair) {
        if (type == Type.TYPE_2 && lastBinder.get() != queuePair) {
            binders.add(queuePair);
            lastBinder.set(queuePair);
            queuePair.boundWindows().add(this);
        }
    }

    /// Returns the queue pair of the last submitted bind; null if a reset of the queue pair has hidden whether the bind
    /// succeeded.
    @Nullable
    QueuePair lastBinder() {
        return lastBinder.get();
    }

    /// Records that a queue pair is being reset.
    void binderReset(QueuePair queuePair) {
        lastBinder.compareAndSet(queuePair, null);
    }

    /// Records that a queue pair is closed.
    void binderClosed(QueuePair queuePair) {
        binders.remove(queuePair);
    }

    private int key(int lowestBits) {
        return (remoteKey & ~0xff) | (lowestBits & 0xff);
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.MEMORY_WINDOW;
    }

    @Override
    void destroy() {
        provider.deallocate();
    }

    @Override
    void afterDestroy() {
        binders.forEach(leaving);
        binders.clear();
    }

    @Override
    public String toString() {
        return "memory window 0x" + Integer.toHexString(remoteKey);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A key that is bound to a part of a region by a work request, and revoked in the same way, without the cost of registering.
/// Thread-safe, but binds of one window must not overlap.
///
/// Closing a queue pair closes the type 2 windows that are bound through it, whose keys mean nothing without it.
///
/// rxe grants the rights of the window, but within the bounds of its region: the peer reaches the whole region by the window's
/// key (`check_rkey`, rxe_resp.c). Where that matters, register a region of its own.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_mw.3.html">ibv_alloc_mw(3)</a>
public final class MemoryWindow extends VerbsObject {
    /// Kind of binds that a window knows (`enum ibv_mw_type`; IBA vol. 1, 10.6.7.2).
    public enum Type {
        /// `IBV_MW_TYPE_1`: bound again as often as one likes; a bind of length 0 unbinds.
        TYPE_1(1, Feature.MEMORY_WINDOW_TYPE_1),
        /// `IBV_MW_TYPE_2`: bound once to a queue pair, freed by an invalidation from either side.
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

    /// Stands for the rights of a region that is known by its key alone.
    static final int UNKNOWN_RIGHTS = -1;

    /// A device refuses the bind for them.
    private static final int NO_RIGHTS_OF_WINDOWS =
            ~Access.mask(Access.values()) | Access.mask(Access.HUGE_PAGES);

    private final ProtectionDomain domain;
    private final Type type;
    private final ProviderMemoryWindow provider;
    private volatile int remoteKey;
    /// The queue pairs that a window of type 2 was bound through; a type 1 window belongs to none.
    private final Set<QueuePair> binders = ConcurrentHashMap.newKeySet();
    /// Made with the window, since a close must not need heap.
    private final Consumer<QueuePair> leaving;
    private volatile @Nullable QueuePair lastBinder;

    MemoryWindow(ProtectionDomain domain, Type type, ProviderMemoryWindow provider) {
        super(List.of(domain));
        this.domain = domain;
        this.type = type;
        this.provider = provider;
        this.remoteKey = provider.rkey();
        this.leaving = binder -> binder.boundWindows().remove(this);
    }

    /// The protection domain that it belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// Returns the kind of binds that it knows.
    public Type type() {
        return type;
    }

    /// The key for the peer, as of the last bind that was posted.
    public int remoteKey() {
        return remoteKey;
    }

    /// Memory of a region as the peer sees it through this window. [#remote(MemoryRegion, long, long)] does it for regions that
    /// grant the peer nothing themselves.
    ///
    /// @param memory what the window was bound to
    public RemoteMemory remote(RemoteMemory memory) {
        return new RemoteMemory(memory.address(), memory.length(), remoteKey);
    }

    /// A part of a region as the peer sees it through this window: for a region that grants the peer nothing without a window.
    ///
    /// @param region what the window was bound to, in whose range the part lies
    /// @param offset first byte in the region
    /// @param length bytes
    /// @throws IndexOutOfBoundsException if the part leaves the region
    public RemoteMemory remote(MemoryRegion region, long offset, long length) {
        return new RemoteMemory(region.addressFor(domain, offset, length), length, remoteKey);
    }

    /// The key of the next bind: the lowest 8 bits count up, as the specification leaves to the user.
    int nextKey(ProtectionDomain user) {
        requireOpen();
        if (user != domain) {
            throw new IllegalArgumentException(this + " belongs to another protection domain than the queue pair");
        }
        return key(remoteKey + 1);
    }

    /// Checks that a bind can work: a device refuses it otherwise, and ends the queue pair (IBA vol. 1, 10.6.7.2;
    /// `rxe_check_bind_mw`, rxe_mw.c).
    ///
    /// @param length bytes that it is bound to
    /// @param localKey key of the region
    /// @param granted rights of the region: bits of [Access], or [#UNKNOWN_RIGHTS] for memory that is not checked
    void requireBindable(int accessFlags, long length, int localKey, int granted) {
        if (type == Type.TYPE_2 && length == 0) {
            throw new IllegalArgumentException(
                    this + " is of type 2, which is not bound to nothing: invalidate its key to unbind it, length=0");
        }
        if (type == Type.TYPE_1 && (accessFlags & Access.ZERO_BASED.value()) != 0) {
            throw new IllegalArgumentException(this + " is of type 1, and ZERO_BASED is for windows of type 2");
        }
        if ((accessFlags & NO_RIGHTS_OF_WINDOWS) != 0) {
            throw new IllegalArgumentException("accessFlags=0x" + Integer.toHexString(accessFlags)
                    + " has rights that no memory window has: 0x"
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

    /// Takes back the last [#bound(int)]: its work request was not posted after all.
    void notBound() {
        remoteKey = key(remoteKey - 1);
    }

    /// A bind is about to be handed over to the device.
    @SuppressWarnings("ReferenceEquality") // a queue pair is only itself
    void boundThrough(QueuePair queuePair) {
        if (type == Type.TYPE_2 && lastBinder != queuePair) {
            binders.add(queuePair);
            lastBinder = queuePair;
            queuePair.boundWindows().add(this);
        }
    }

    /// The queue pair of the last bind that was handed over.
    @Nullable
    QueuePair lastBinder() {
        return lastBinder;
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

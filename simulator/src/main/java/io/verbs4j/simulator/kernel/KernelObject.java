// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.CompletionQueue;
import io.verbs4j.simulator.rxe.QueuePair;
import io.verbs4j.simulator.rxe.Region;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.simulator.rxe.SharedReceives;
import io.verbs4j.simulator.rxe.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The object of a handle (`struct ib_uobject`). An object that is used by another cannot be destroyed. An object uses
/// others from [ObjectTable#add] to [ObjectTable#remove], so a command that fails leaves none in use.
abstract class KernelObject {
    private final UverbsObject kind;
    private List<KernelObject> used;
    private int users;

    KernelObject(UverbsObject kind, KernelObject... used) {
        this.kind = kind;
        this.used = List.of(used);
    }

    UverbsObject kind() {
        return kind;
    }

    boolean isUsed() {
        return users > 0;
    }

    /// Returns the object as RDMA netlink would list it; empty if the kernel does not track its kind.
    ///
    /// @param handle its handle, used as its number
    Optional<KernelResource> resource(int handle) {
        return Optional.empty();
    }

    private static Optional<KernelResource> listed(ResourceKind kind, int number, KernelResource.Detail... details) {
        return Optional.of(KernelResource.ofThisProcess(kind, number, details));
    }

    private static KernelResource.Detail detail(String name, long value) {
        return new KernelResource.Detail(name, value);
    }

    /// Marks the objects that this object uses.
    void hold() {
        used.forEach(object -> object.users++);
    }

    /// Releases the objects that this object uses.
    void release() {
        used.forEach(object -> object.users--);
    }

    /// Replaces the objects that this object uses and has marked.
    void useInstead(KernelObject... others) {
        release();
        used = List.of(others);
        hold();
    }

    static final class Domain extends KernelObject {
        final io.verbs4j.simulator.rxe.Domain rxe = new io.verbs4j.simulator.rxe.Domain();

        Domain() {
            super(UverbsObject.PD);
        }

        @Override
        Optional<KernelResource> resource(int handle) {
            return listed(ResourceKind.PROTECTION_DOMAIN, handle);
        }
    }

    static final class Memory extends KernelObject {
        final Region region;
        /// Whether the memory is pinned for writing.
        final boolean writable;
        Domain domain;

        Memory(Domain domain, Region region, boolean writable) {
            super(UverbsObject.MR, domain);
            this.domain = domain;
            this.region = region;
            this.writable = writable;
        }

        void move(Domain other) {
            domain = other;
            useInstead(other);
        }

        @Override
        Optional<KernelResource> resource(int handle) {
            long key = Integer.toUnsignedLong(region.key());
            return listed(ResourceKind.MEMORY_REGION, handle, detail("mrlen", region.length()), detail("lkey", key),
                    detail("rkey", key));
        }
    }

    static final class MemoryWindow extends KernelObject {
        final Window window;

        MemoryWindow(Domain domain, Window window) {
            super(UverbsObject.MW, domain);
            this.window = window;
        }
    }

    static final class AddressHandle extends KernelObject {
        final RxeDevice.Handle handle;

        AddressHandle(Domain domain, RxeDevice.Handle handle) {
            super(UverbsObject.AH, domain);
            this.handle = handle;
        }
    }

    /// An object that raises events, and counts those that were read.
    static class Source extends KernelObject {
        final long userHandle;
        int asyncEvents;

        Source(UverbsObject kind, long userHandle, KernelObject... used) {
            super(kind, used);
            this.userHandle = userHandle;
        }
    }

    static final class Completions extends Source {
        final @Nullable EventQueue channel;
        int completionEvents;
        @Nullable CompletionQueue queue;

        Completions(long userHandle, @Nullable EventQueue channel) {
            super(UverbsObject.CQ, userHandle);
            this.channel = channel;
        }

        CompletionQueue queue() {
            return java.util.Objects.requireNonNull(queue);
        }

        @Override
        Optional<KernelResource> resource(int handle) {
            return listed(ResourceKind.COMPLETION_QUEUE, handle, detail("cqe", queue().ring().capacity()));
        }
    }

    static final class Receives extends Source {
        @Nullable SharedReceives queue;

        Receives(long userHandle, Domain domain) {
            super(UverbsObject.SRQ, userHandle, domain);
        }

        SharedReceives queue() {
            return java.util.Objects.requireNonNull(queue);
        }

        @Override
        Optional<KernelResource> resource(int handle) {
            return listed(ResourceKind.SHARED_RECEIVE_QUEUE, handle);
        }
    }

    /// A membership in a group, identified by the values that uverbs compares.
    record Membership(Address group, int lid) {}

    static final class Pair extends Source {
        final List<Membership> memberships = new ArrayList<>();
        /// The port that uverbs stores.
        int port;
        @Nullable QueuePair queuePair;

        Pair(long userHandle, KernelObject... used) {
            super(UverbsObject.QP, userHandle, used);
        }

        QueuePair queuePair() {
            return java.util.Objects.requireNonNull(queuePair);
        }

        @Override
        Optional<KernelResource> resource(int handle) {
            QueuePair pair = queuePair();
            return listed(ResourceKind.QUEUE_PAIR, pair.number(), detail("type", pair.shape().type().value()),
                    detail("state", pair.state().value()), detail("rqpn", pair.attributes().destination),
                    detail("sq-psn", pair.sendPsn()), detail("rq-psn", pair.receivePsn()));
        }
    }
}

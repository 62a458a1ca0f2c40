// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

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
import org.jspecify.annotations.Nullable;

/// The object that a handle names (`struct ib_uobject`). What uses another object keeps that from being destroyed.
abstract class KernelObject {
    private final UverbsObject kind;
    private final List<KernelObject> used;
    private int users;

    KernelObject(UverbsObject kind, KernelObject... used) {
        this.kind = kind;
        this.used = List.of(used);
        this.used.forEach(object -> object.users++);
    }

    UverbsObject kind() {
        return kind;
    }

    boolean isUsed() {
        return users > 0;
    }

    /// Lets go of what it uses.
    void release() {
        used.forEach(object -> object.users--);
    }

    static final class Domain extends KernelObject {
        final io.verbs4j.simulator.rxe.Domain rxe = new io.verbs4j.simulator.rxe.Domain();

        Domain() {
            super(UverbsObject.PD);
        }
    }

    static final class Memory extends KernelObject {
        final Region region;
        Domain domain;

        Memory(Domain domain, Region region) {
            super(UverbsObject.MR);
            this.domain = domain;
            this.region = region;
            ((KernelObject) domain).users++;
        }

        void move(Domain other) {
            ((KernelObject) domain).users--;
            domain = other;
            ((KernelObject) domain).users++;
        }

        @Override
        void release() {
            ((KernelObject) domain).users--;
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
    }

    static final class Receives extends Source {
        @Nullable SharedReceives queue;

        Receives(long userHandle, Domain domain) {
            super(UverbsObject.SRQ, userHandle, domain);
        }

        SharedReceives queue() {
            return java.util.Objects.requireNonNull(queue);
        }
    }

    /// A membership in a group, by the names that uverbs compares.
    record Membership(Address group, int lid) {}

    static final class Pair extends Source {
        final List<Membership> memberships = new ArrayList<>();
        /// The port that uverbs remembers.
        int port;
        @Nullable QueuePair queuePair;

        Pair(long userHandle, KernelObject... used) {
            super(UverbsObject.QP, userHandle, used);
        }

        QueuePair queuePair() {
            return java.util.Objects.requireNonNull(queuePair);
        }
    }
}

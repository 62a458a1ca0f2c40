// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// A kernel object that a program must close: a context, or an object that was created from a context.
///
/// An object cannot be closed while an open object depends on it. [#close()] is idempotent, and any thread may call it.
/// The close waits for calls in progress. Later calls that need the kernel object throw [IllegalStateException].
public abstract sealed class VerbsObject implements AutoCloseable
        permits AddressHandle,
        CompletionChannel,
        CompletionQueue,
        Context,
        MemoryRegion,
        MemoryWindow,
        ProtectionDomain,
        QueuePair,
        SharedReceiveQueue {
    // Two locks guard an object. The `family`'s lock, one per context, guards the dependencies and is held for a few
    // instructions only. The lock `use`, one per object, is held shared while a command about the object runs, and
    // exclusively while the object is destroyed. It prevents the use of a handle that the kernel has already given to
    // another object. A thread takes the locks of the data path before `use`, never after it, so a thread in a batch
    // may run commands.

    private enum Life {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final Family family;
    private List<VerbsObject> dependencies; // guarded by the family's lock
    private final Set<VerbsObject> dependents = new LinkedHashSet<>();
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private int beingCreated;
    private volatile Life life = Life.OPEN;

    /// Creates the root of a family.
    VerbsObject() {
        this.family = new Family(this);
        this.dependencies = List.of();
    }

    /// Creates an object that depends on others. Called inside [#create(List, Function)].
    VerbsObject(List<? extends VerbsObject> dependencies) {
        VerbsObject first = dependencies.getFirst();
        this.family = first.family;
        this.dependencies = List.copyOf(dependencies);
    }

    /// Creates an object that depends on others. None of these can be closed during the call.
    ///
    /// @param creation adds an undo action for each object of the kernel. The actions run if the creation fails, or if
    ///     the heap is too full to record the new object
    static <T extends VerbsObject> T create(
            List<? extends VerbsObject> dependencies, Function<Rollback, T> creation) {
        VerbsObject first = dependencies.getFirst();
        Family family = first.family;
        startCreating(family, dependencies);
        try (var rollback = new Rollback()) {
            T created = rollback.make(
                    () -> first.whileOpen(() -> creation.apply(rollback)), VerbsObject::afterDestroy);
            created.dependOn(dependencies);
            rollback.keep();
            return created;
        } finally {
            endCreating(family, dependencies);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a family is only itself
    private static void startCreating(Family family, List<? extends VerbsObject> dependencies) {
        family.lock.lock();
        try {
            if (family.closing > 0) {
                throw family.root.closed();
            }
            for (VerbsObject dependency : dependencies) {
                if (dependency.family != family) {
                    throw new IllegalArgumentException(dependency + " belongs to another context");
                }
                dependency.requireOpen();
            }
            for (int i = 0; i < dependencies.size(); i++) { // an iterator needs heap, which may be exhausted
                VerbsObject dependency = dependencies.get(i);
                dependency.beingCreated++;
            }
            family.creations++;
        } finally {
            family.lock.unlock();
        }
    }

    private static void endCreating(Family family, List<? extends VerbsObject> dependencies) {
        family.lock.lock();
        try {
            family.creations--;
            family.changed.signalAll();
            for (int i = 0; i < dependencies.size(); i++) {
                VerbsObject dependency = dependencies.get(i);
                dependency.beingCreated--;
            }
        } finally {
            family.lock.unlock();
        }
    }

    /// Records that this object depends on others: on all, or on none.
    final void dependOn(List<? extends VerbsObject> others) {
        family.lock.lock();
        int noted = 0;
        try {
            for (; noted < others.size(); noted++) {
                VerbsObject other = others.get(noted);
                other.dependents.add(this);
            }
        } finally {
            if (noted < others.size()) {
                for (int i = 0; i < noted; i++) {
                    VerbsObject other = others.get(i);
                    other.dependents.remove(this);
                }
            }
            family.lock.unlock();
        }
    }

    /// Returns the object's position in the order in which a context closes objects.
    abstract ClosingOrder closingOrder();

    /// Destroys the kernel object and frees its resources. Called while no other operation runs on the object. If the
    /// method throws, the object stays open, and the method may be called again.
    abstract void destroy();

    /// Returns whether [#close()] has succeeded.
    public final boolean isClosed() {
        return life == Life.CLOSED;
    }

    /// Rejects a close that would wait for a batch of the calling thread itself.
    ///
    /// @throws IllegalStateException if this thread has a batch of the object open
    void requireNoBatchHere() {}

    /// Destroys the object. Waits for batches of other threads, at most 60 seconds (system property
    /// `verbs4j.close.timeout`, in seconds). If another thread is already closing the object, waits for the outcome,
    /// and repeats a close that was refused.
    ///
    /// @throws IllegalStateException if an open object depends on this object or is being created from it, if this
    ///     thread has a batch of it open, or if another thread has one open for too long; the message names the object
    ///     or the thread. This object stays open
    /// @throws VerbsException if the kernel refuses; this object stays open, and the close can be repeated
    @Override
    public void close() {
        requireNoBatchHere();
        if (!startClosing()) {
            return;
        }
        boolean destroyed = false;
        try {
            stopDataPath();
            try {
                destroyExclusively();
                destroyed = true;
            } finally {
                resumeDataPath();
            }
        } finally {
            finishClosing(destroyed);
            closeEnded();
        }
        afterDestroy();
    }

    private void destroyExclusively() {
        Lock exclusive = use.writeLock();
        exclusive.lock();
        try {
            destroy();
        } finally {
            exclusive.unlock();
        }
    }

    /// Takes the locks that posting and polling hold, so that no batch begins until [#resumeDataPath()]. Waits for the
    /// batches of other threads. An object without such locks does not wait.
    void stopDataPath() {}

    void resumeDataPath() {}

    /// Called after each attempt to destroy the object, when the outcome is known and the object's locks are released.
    void closeEnded() {}

    /// Completes a close, after the object's locks were released and the object was marked as closed. May wait for
    /// locks of a thread that is also closing the object. The object's dependencies may already be closed.
    void afterDestroy() {}

    private boolean startClosing() {
        family.lock.lock();
        try {
            while (life == Life.CLOSING) {
                family.changed.awaitUninterruptibly();
            }
            if (life == Life.CLOSED) {
                return false;
            }
            if (!dependents.isEmpty()) {
                throw new IllegalStateException(this + " is still used by " + describe(dependents));
            }
            if (beingCreated > 0) {
                throw new IllegalStateException(this + " is being used to create another object");
            }
            life = Life.CLOSING;
            return true;
        } finally {
            family.lock.unlock();
        }
    }

    private void finishClosing(boolean destroyed) {
        family.lock.lock();
        try {
            if (destroyed) {
                for (int i = 0; i < dependencies.size(); i++) {
                    dependencies.get(i).dependents.remove(this);
                }
                life = Life.CLOSED;
            } else {
                life = Life.OPEN;
            }
            family.changed.signalAll();
        } finally {
            family.lock.unlock();
        }
    }

    private static String describe(Set<VerbsObject> objects) {
        var names = new ArrayList<String>();
        for (VerbsObject object : objects) {
            if (names.size() == 8) {
                names.add("and " + (objects.size() - 8) + " more");
                break;
            }
            names.add(object.toString());
        }
        return String.join(", ", names);
    }

    /// Prevents the creation of objects in the whole family until [#resumeCreations()], and waits for creations in
    /// progress.
    final void stopCreations() {
        family.lock.lock();
        try {
            family.closing++;
            while (family.creations > 0) {
                family.changed.awaitUninterruptibly();
            }
        } finally {
            family.lock.unlock();
        }
    }

    final void resumeCreations() {
        family.lock.lock();
        try {
            family.closing--;
        } finally {
            family.lock.unlock();
        }
    }

    /// Returns the objects that currently depend on this object.
    final List<VerbsObject> dependents() {
        family.lock.lock();
        try {
            return List.copyOf(dependents);
        } finally {
            family.lock.unlock();
        }
    }

    /// Throws `IllegalStateException` if the object is closed or being closed.
    final void requireOpen() {
        if (life != Life.OPEN) {
            throw closed();
        }
    }

    /// Returns whether the object is neither closed nor being closed.
    final boolean isUsable() {
        return life == Life.OPEN;
    }

    final IllegalStateException closed() {
        return new IllegalStateException(this + " is closed");
    }

    /// Runs a command that makes this object depend on `to` instead of `from`.
    final void changeDependency(VerbsObject from, VerbsObject to, Runnable command) {
        whileOpen(() -> {
            if (from == to) {
                command.run();
                return;
            }
            List<VerbsObject> changed = dependencies.stream().map(d -> d == from ? to : d).toList();
            var only = List.of(to);
            startCreating(family, only);
            boolean moved = false;
            try {
                dependOn(only);
                command.run();
                moved = true;
            } finally {
                settle(moved ? from : to, moved ? changed : dependencies);
                endCreating(family, only);
            }
        });
    }

    private void settle(VerbsObject noMore, List<VerbsObject> now) {
        family.lock.lock();
        try {
            noMore.dependents.remove(this);
            dependencies = now;
        } finally {
            family.lock.unlock();
        }
    }

    /// Runs a command about this object; a close waits until the command has ended. The command itself does not wait
    /// for a close, because the close may wait for a batch that this thread has open.
    final <T> T whileOpen(Supplier<T> command) {
        Lock shared = use.readLock();
        requireOpen();
        while (!shared.tryLock()) { // held by a close that has just begun, or was refused and is about to end
            requireOpen();
            Thread.onSpinWait();
        }
        try {
            requireOpen();
            return command.get();
        } finally {
            shared.unlock();
        }
    }

    /// Runs a command about this object; a close waits until the command has ended.
    final void whileOpen(Runnable command) {
        whileOpen(() -> {
            command.run();
            return this;
        });
    }
}

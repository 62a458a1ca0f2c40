// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// Anything that must be closed: the life of a kernel object and its place among the others.
///
/// An object knows what it depends on and refuses to close while something depends on it. [#close()] is idempotent, and may
/// be called from any thread: calls that run finish first, later ones throw `IllegalStateException`. If the kernel refuses to
/// destroy the object, it stays open, and the close can be repeated.
///
/// Two locks are involved. That of the `family`, one per context, guards who depends on whom and is held for a few instructions
/// only.
/// `use`, one per object, is held (shared) while a command about the object runs, and (exclusive) while it is destroyed: a
/// handle that the kernel has already given to another object can never be used. The locks of the data path come before
/// `use`, never after it: a thread in a batch may run commands.
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

    /// The root of a family.
    VerbsObject() {
        this.family = new Family(this);
        this.dependencies = List.of();
    }

    /// An object that depends on others. Called inside [#create(List, Supplier)].
    VerbsObject(List<? extends VerbsObject> dependencies) {
        VerbsObject first = dependencies.getFirst();
        this.family = first.family;
        this.dependencies = List.copyOf(dependencies);
    }

    /// Creates an object that depends on others, none of which can close in that time. What the creation has made is destroyed again if
    /// there is no heap left to note it.
    static <T extends VerbsObject> T create(List<? extends VerbsObject> dependencies, Supplier<T> creation) {
        VerbsObject first = dependencies.getFirst();
        Family family = first.family;
        startCreating(family, dependencies);
        T created = null;
        boolean noted = false;
        try {
            created = creation.get();
            created.dependOn(dependencies);
            noted = true;
            return created;
        } finally {
            if (created != null && !noted) {
                created.destroy();
                created.afterDestroy();
            }
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
            for (int i = 0; i < dependencies.size(); i++) { // an iterator may find no heap in the middle
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

    /// Notes that this object depends on others: with all, or with none.
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

    /// Its place among what a context closes.
    abstract ClosingOrder closingOrder();

    /// Gives the object back to the kernel and frees what belongs to it. Called once, with nothing else running on it; if it
    /// throws, the object stays open and it may be called again.
    abstract void destroy();

    /// Returns whether [#close()] has succeeded.
    public final boolean isClosed() {
        return life == Life.CLOSED;
    }

    /// Refuses a close that would have to wait for a batch of the very thread that calls it.
    ///
    /// @throws IllegalStateException if this thread has a batch open on the object
    void requireNoBatchHere() {}

    /// Destroys the object. If another thread is about to, waits for the outcome.
    ///
    /// @throws IllegalStateException if something that is still open depends on it; the message names it
    /// @throws VerbsException if the kernel refuses; the object stays open
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

    /// Takes the locks that posting and polling hold, so that no batch begins until [#resumeDataPath()]. Waits for the batches
    /// of other threads; an object without such locks waits for nothing.
    void stopDataPath() {}

    void resumeDataPath() {}

    /// Does what is left to do for a closed object when none of its locks is held any more, and nobody waits for its close. What
    /// this waits for may be held by a thread that closes the object, too; what the object depended on may be closed in that time.
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

    /// Lets nothing more be made in the whole family until [#resumeCreations()], and waits for what is being made.
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

    /// Returns what depends on this object at the moment.
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

    /// Returns whether neither a close has succeeded nor one is running.
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

    /// Runs a command about this object; a close waits for its end. Does not wait for a close, which may itself wait for a
    /// batch that this thread has open.
    final <T> T whileOpen(Supplier<T> command) {
        Lock shared = use.readLock();
        requireOpen();
        while (!shared.tryLock()) { // by a close that has just begun, or was refused and is about to leave
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

    /// Runs a command about this object; a close waits for its end.
    final void whileOpen(Runnable command) {
        whileOpen(() -> {
            command.run();
            return this;
        });
    }
}

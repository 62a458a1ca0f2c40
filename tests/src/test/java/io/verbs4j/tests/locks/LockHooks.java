// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The methods that rewritten classes call when they name, acquire and release locks. Public, because those classes are
/// in other packages.
public final class LockHooks {
    private static final LockRecorder RECORDER = new LockRecorder();
    private static volatile Runnable step = () -> {};

    private LockHooks() {}

    static LockRecorder recorder() {
        return RECORDER;
    }

    /// Says what to do before each lock that is taken, and after each that is given back.
    static void atEachStep(Runnable action) {
        step = action;
    }

    /// Runs what a test does in the middle of verbs4j's own work, where no program can be.
    public static void apart(Runnable action) {
        RECORDER.apart(action);
    }

    /// An object's field is about to hold a lock.
    public static void named(Object owner, Object lock, String field) {
        named(lock, LockWeaver.simpleName(owner.getClass().getName()) + "." + field);
    }

    /// A static field is about to hold a lock.
    public static void named(Object lock, String name) {
        if (lock instanceof ReentrantReadWriteLock both) {
            RECORDER.name(both.readLock(), name);
            RECORDER.name(both.writeLock(), name);
        } else {
            RECORDER.name(lock, name);
        }
    }

    /// A thread is about to enter a monitor, or has just done so by calling a method.
    public static void wants(Object monitor, String name) {
        step.run();
        RECORDER.name(monitor, name);
        RECORDER.wants(monitor, "");
    }

    /// A thread has entered a monitor.
    public static void entered(Object monitor, String name) {
        RECORDER.name(monitor, name);
        RECORDER.entered(monitor);
    }

    /// A thread is about to wait for a batch lock.
    public static void wantsBatch(Object lock, String how) {
        step.run();
        RECORDER.wants(lock, how);
    }

    /// A thread has a batch lock.
    public static void holdsBatch(Object lock, String how) {
        RECORDER.holds(lock, how);
    }

    /// A thread has tried to stop the batches of a queue.
    public static boolean tried(Object lock, boolean taken) {
        if (taken) {
            RECORDER.holds(lock, LockTable.STOPPED);
        }
        return taken;
    }

    /// A thread has given a lock back.
    public static void released(Object lock) {
        RECORDER.released(lock);
        step.run();
    }

    /// Calls [Lock#lock()].
    public static void lock(Lock lock) {
        step.run();
        RECORDER.wants(lock, "");
        lock.lock();
        RECORDER.holds(lock, "");
    }

    /// Calls [Lock#lockInterruptibly()].
    public static void lockInterruptibly(Lock lock) throws InterruptedException {
        step.run();
        RECORDER.wants(lock, "");
        lock.lockInterruptibly();
        RECORDER.holds(lock, "");
    }

    /// Calls [Lock#tryLock()], which waits for nobody.
    public static boolean tryLock(Lock lock) {
        step.run();
        boolean taken = lock.tryLock();
        if (taken) {
            RECORDER.holds(lock, "");
        }
        return taken;
    }

    /// Calls [Lock#tryLock(long, TimeUnit)].
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        step.run();
        RECORDER.wants(lock, "");
        boolean taken = lock.tryLock(time, unit);
        if (taken) {
            RECORDER.holds(lock, "");
        }
        return taken;
    }

    /// Calls [Lock#unlock()].
    public static void unlock(Lock lock) {
        step.run();
        lock.unlock();
        RECORDER.released(lock);
        step.run();
    }
}

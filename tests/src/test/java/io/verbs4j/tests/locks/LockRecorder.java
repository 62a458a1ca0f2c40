// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// Records the locks that threads wait for while they hold others, by the locks' names. Thread-safe. It acquires no
/// lock that other threads could wait for.
final class LockRecorder {
    /// Number of callers noted of the place where a lock was first wanted.
    private static final int FRAMES = 12;

    /// A thread that held one lock waited for another.
    record Edge(String held, String wanted) {}

    /// A lock that has a name. Does not keep the lock alive.
    private static final class Named extends WeakReference<Object> {
        private final int hash;
        private final String name;
        /// Of a lock that does not answer who holds it. A lock can pass to another thread without an unlock.
        private volatile @Nullable Thread owner;

        Named(Object lock, String name, @Nullable ReferenceQueue<Object> collected) {
            super(lock, collected);
            this.hash = System.identityHashCode(lock);
            this.name = name;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // a lock is only itself
        public boolean equals(@Nullable Object other) {
            return this == other || other instanceof Named named && get() != null && get() == named.get();
        }
    }

    private record Held(Object lock, Named named, String how) {
        @SuppressWarnings("ReferenceEquality") // a thread is only itself
        boolean isStill() {
            return switch (lock) {
                case ReentrantLock mutex -> mutex.isHeldByCurrentThread();
                case ReentrantReadWriteLock.WriteLock exclusive -> exclusive.isHeldByCurrentThread();
                default ->
                    isBatchLock(lock)
                            ? holder(lock) == Thread.currentThread()
                            : Thread.holdsLock(lock) || named.owner == Thread.currentThread();
            };
        }

        String name() {
            return named.name + how;
        }
    }

    private final Map<Named, Named> names = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final ThreadLocal<List<Held>> held = ThreadLocal.withInitial(ArrayList::new);
    private final Map<Edge, String> edges = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, Boolean> taken = new ConcurrentHashMap<>();

    /// A class could not be rewritten.
    void failed(String failure) {
        failures.add(failure);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /// Gives a lock its name, unless it has one. A lock that locks nothing gets none.
    void name(Object lock, String name) {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            names.remove(gone);
        }
        if (find(lock) == null && locks(lock)) {
            var named = new Named(lock, name, collected);
            names.putIfAbsent(named, named);
        }
    }

    private @Nullable Named find(Object lock) {
        return names.get(new Named(lock, "", null));
    }

    /// Asks the lock of a queue that may be single-threaded.
    private static boolean locks(Object lock) {
        return !isBatchLock(lock) || Boolean.TRUE.equals(ask(lock, "isLocking"));
    }

    private static boolean isBatchLock(Object lock) {
        return lock.getClass().getName().equals("io.verbs4j.BatchLock");
    }

    /// Returns the thread that holds the lock of a queue. A thread may take over its own lock that it has not unlocked.
    private static @Nullable Object holder(Object batchLock) {
        try {
            Field sync = batchLock.getClass().getDeclaredField("sync");
            sync.setAccessible(true);
            return ask(sync.get(batchLock), "holder");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object ask(Object object, String name) {
        try {
            Method method = object.getClass().getDeclaredMethod(name);
            method.setAccessible(true);
            return method.invoke(object);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /// Records that the current thread is about to wait for a lock.
    ///
    /// @param how appended to its name
    void wants(Object lock, String how) {
        Named wanted = find(lock);
        if (wanted == null) {
            return;
        }
        List<Held> here = held.get();
        here.removeIf(one -> !one.isStill());
        if (here.stream().anyMatch(one -> one.lock == lock)) {
            return; // it is entered again
        }
        for (Held one : here) {
            edges.computeIfAbsent(new Edge(one.name(), wanted.name + how), _ -> callers());
        }
    }

    private static String callers() {
        return StackWalker.getInstance()
                .walk(frames -> frames
                        .filter(frame -> frame.getClassName().startsWith("io.verbs4j.")
                                && !frame.getClassName().startsWith(LockRecorder.class.getPackageName() + ".Lock"))
                        .limit(FRAMES)
                        .map(frame -> frame.getClassName().replace("io.verbs4j.", "") + "." + frame.getMethodName()
                                + ":"
                                + frame.getLineNumber())
                        .reduce((one, other) -> one + " < " + other)
                        .orElse(""));
    }

    /// Records that the current thread holds a lock.
    ///
    /// @param how appended to its name while it is held
    void holds(Object lock, String how) {
        Named named = find(lock);
        if (named == null) {
            return;
        }
        named.owner = Thread.currentThread(); // of several readers the last one
        held.get().add(new Held(lock, named, how));
        taken.put(named.name, true);
    }

    /// The current thread is in a monitor, which itself knows for how long.
    void entered(Object monitor) {
        Named named = find(monitor);
        if (named != null) {
            held.get().add(new Held(monitor, named, ""));
            taken.put(named.name, true);
        }
    }

    /// The current thread has given a lock back once.
    void released(Object lock) {
        List<Held> here = held.get();
        for (int i = here.size() - 1; i >= 0; i--) {
            if (here.get(i).lock == lock) {
                here.remove(i);
                return;
            }
        }
    }

    /// Runs something as if another thread did, and the current one waited for it with no lock held.
    void apart(Runnable action) {
        List<Held> here = held.get();
        held.set(new ArrayList<>());
        try {
            action.run();
        } finally {
            held.set(here);
        }
    }

    /// Returns who waited for what while holding what, and the first place where that was.
    Map<Edge, String> edges() {
        return Map.copyOf(edges);
    }

    /// Returns the names of all locks that were taken.
    List<String> taken() {
        return taken.keySet().stream().sorted().toList();
    }
}

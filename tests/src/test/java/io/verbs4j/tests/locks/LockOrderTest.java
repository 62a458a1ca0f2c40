// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.locks.LockRecorder.Edge;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The recorder of locks, on classes that take some, and the table's judgement of what it records.
class LockOrderTest {
    /// Takes locks in two orders, which can be a deadlock of two threads.
    static final class Inverted implements Runnable {
        private final ReentrantLock left = new ReentrantLock();
        private final ReentrantLock right = new ReentrantLock();

        private static void take(Lock one, Lock other) {
            one.lock();
            try {
                other.lock();
                other.unlock();
            } finally {
                one.unlock();
            }
        }

        @Override
        public void run() {
            take(left, right);
            take(right, left);
        }
    }

    /// Takes locks of which it never waits for one with another held.
    static final class Harmless implements Runnable {
        private final ReentrantLock mutex = new ReentrantLock();
        private final ReentrantLock other = new ReentrantLock();

        @Override
        public void run() {
            mutex.lock();
            mutex.lock(); // once more
            assertThat(other.tryLock()).isTrue();
            mutex.unlock();
            mutex.unlock();
            other.unlock();
            other.lock();
            other.unlock();
        }
    }

    /// Takes locks of all kinds, in one order.
    static final class AllKinds implements Runnable {
        private static final ReentrantLock FIRST = new ReentrantLock();
        private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
        private final Object monitor = new Object();

        @Override
        public void run() {
            FIRST.lock();
            try {
                Lock exclusive = use.writeLock();
                exclusive.lock();
                try {
                    fail();
                } catch (IllegalStateException e) {
                    exclusive.unlock();
                }
                Lock shared = use.readLock();
                shared.lock();
                method();
                shared.unlock();
            } finally {
                FIRST.unlock();
            }
        }

        private void fail() {
            synchronized (monitor) {
                throw new IllegalStateException();
            }
        }

        private synchronized void method() {}
    }

    /// Takes the class of this name anew, with hooks.
    private static final class InstrumentedLoader extends ClassLoader {
        private final String name;

        InstrumentedLoader(Class<?> type) {
            super(type.getClassLoader());
            this.name = type.getName();
        }

        @Override
        protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
            if (!type.equals(name)) {
                return super.loadClass(type, resolve);
            }
            try (InputStream file = Objects.requireNonNull(getResourceAsStream(type.replace('.', '/') + ".class"))) {
                byte[] bytes = LockWeaver.weave(file.readAllBytes());
                return defineClass(type, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(type, e);
            }
        }
    }

    private static Set<Edge> edgesOf(Class<? extends Runnable> type) throws ReflectiveOperationException {
        var constructor = new InstrumentedLoader(type).loadClass(type.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        ((Runnable) constructor.newInstance()).run();
        return LockHooks.recorder()
                .edges()
                .keySet()
                .stream()
                .filter(edge -> edge.held().startsWith(type.getSimpleName()))
                .collect(Collectors.toSet());
    }

    @Test
    void bothOrdersOfTwoLocksAreRecorded() throws ReflectiveOperationException {
        assertThat(edgesOf(Inverted.class))
                .containsExactlyInAnyOrder(
                        new Edge("Inverted.left", "Inverted.right"), new Edge("Inverted.right", "Inverted.left"));
    }

    @Test
    void aTryAndASecondTurnOfTheOwnerWaitForNobody() throws ReflectiveOperationException {
        assertThat(edgesOf(Harmless.class)).isEmpty();
    }

    @Test
    void monitorsAndBothSidesOfAReadWriteLockAreRecordedAndLeftByExceptions() throws ReflectiveOperationException {
        assertThat(edgesOf(AllKinds.class))
                .containsExactlyInAnyOrder(
                        new Edge("AllKinds.FIRST", "AllKinds.use"),
                        new Edge("AllKinds.FIRST", "AllKinds monitor"),
                        new Edge("AllKinds.use", "AllKinds monitor"));
    }

    @Test
    void theTableAllowsItsOwnOrderOnly() {
        var right = new Edge("QueuePair.use", "Family.lock");
        var wrong = new Edge("Family.lock", "QueuePair.use");
        assertThat(LockTable.violations(Set.of(right))).isEmpty();
        assertThat(LockTable.violations(Set.of(right, wrong)))
                .containsExactly("a thread with Family.lock waited for QueuePair.use");
    }

    @Test
    void twoLocksOfARowMayNotWaitForEachOther() {
        assertThat(LockTable.violations(Set.of(new Edge("QueuePair.use", "QueuePair.use")))).hasSize(1);
    }

    @Test
    void callersMayBeginAndStopBatchesInBatchesAndNobodyElse() {
        var begins = new Edge("CompletionQueue.lock", "QueuePair.sendLock");
        var closes = new Edge("CompletionQueue.lock", "QueuePair.sendLock" + LockTable.STOPPED);
        var forgets = new Edge("CompletionQueue.lock", "CompletionQueue.lock" + LockTable.INSIDE);
        var closesTwo = new Edge("QueuePair.sendLock" + LockTable.STOPPED, "QueuePair.receiveLock" + LockTable.STOPPED);
        assertThat(LockTable.violations(Set.of(begins, closes))).isEmpty();
        assertThat(LockTable.violations(Set.of(forgets))).hasSize(1);
        assertThat(LockTable.violations(Set.of(closesTwo))).hasSize(1);
    }

    @Test
    void aLockThatIsInNoRowIsNamed() {
        assertThat(LockTable.violations(Set.of(new Edge("Family.lock", "News.lock"))))
                .containsExactly("News.lock is in no row");
    }
}

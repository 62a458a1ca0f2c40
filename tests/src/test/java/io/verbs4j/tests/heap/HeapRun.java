// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.tests.faults.Operands;
import io.verbs4j.tests.faults.Operation;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Makes each allocation of an operation fail in turn. [EveryAllocationIT] calls it in the classes rewritten by
/// [io.verbs4j.tests.support.InstrumentingLoader].
final class HeapRun {
    private static final boolean SIMULATED = Simulated.isUsed();
    private static final long SECONDS = 60;

    private HeapRun() {}

    /// Names the opening of a device among operations.
    static final String OPEN = "OPEN";

    /// An operation whose allocations fail one after the other.
    private interface Subject {
        /// @return whether there is such an allocation
        boolean attempt(int allocation, Turns turns) throws Exception;
    }

    private static Subject of(Operation operation) {
        return (allocation, turns) -> attempt(operation, allocation, turns);
    }

    /// Opens a device, by its name on a real kernel.
    private static boolean open(int allocation, Turns turns) throws Exception {
        Attempt attempt;
        if (SIMULATED) {
            DeviceFile file = file();
            attempt = turns.take(() -> attempt(allocation, () -> InjectedDevices.open(file)));
        } else {
            attempt = turns.take(() -> attempt(allocation, Rxe::open));
        }
        if (attempt.thrown != null) {
            assertThat(attempt.thrown).isInstanceOf(OutOfMemoryError.class);
        }
        close(attempt.made);
        return attempt.struck;
    }

    /// Describes what came of an attempt.
    private record Attempt(boolean struck, @Nullable Throwable thrown, @Nullable AutoCloseable made) {}

    /// Two threads that take turns: a lock that one keeps stops the other.
    private static final class Turns implements AutoCloseable {
        private final List<ExecutorService> threads =
                List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());
        private int next;

        <T> T take(Callable<T> work) throws Exception {
            Future<T> turn = threads.get(next++ % 2).submit(work);
            try {
                return turn.get(SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new AssertionError("a lock was kept", e);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new AssertionError(e.getCause());
            }
        }

        @Override
        public void close() {
            threads.forEach(ExecutorService::shutdownNow);
        }
    }

    /// Runs an operation with one allocation failing, for the first, the second, and so on.
    ///
    /// @param name name of the [Operation], or [#OPEN]
    /// @param first the first allocation
    /// @param step the increment: 2 for every second allocation, and so on
    /// @return the number of allocations
    static int run(String name, int first, int step) throws Exception {
        Subject subject = name.equals(OPEN) ? HeapRun::open : of(Operation.valueOf(name));
        var failures = new ArrayList<Throwable>();
        int allocation = first;
        try (var turns = new Turns()) {
            subject.attempt(Integer.MAX_VALUE, turns); // initializes classes
            boolean more = true;
            for (; more; allocation += step) {
                Left before = Left.now();
                try {
                    more = subject.attempt(allocation, turns);
                    assertThat(Left.now()).isEqualTo(before);
                } catch (AssertionError | RuntimeException e) {
                    var failure = new AssertionError("allocation " + allocation, e);
                    failures.add(failure);
                }
            }
        }
        if (!failures.isEmpty()) {
            var all = new AssertionError(failures.size() + " of the " + allocation + " allocations of " + name);
            failures.forEach(all::addSuppressed);
            throw all;
        }
        return allocation;
    }

    /// Lists the objects, descriptors and mappings that this process holds.
    private record Left(List<String> objects, List<String> descriptors, List<String> mappings) {
        static Left now() {
            return new Left(LeakCheck.kernelObjects(), LeakCheck.descriptors(), LeakCheck.mappings());
        }
    }

    /// @return whether there is such an allocation
    private static boolean attempt(Operation operation, int allocation, Turns turns) throws Exception {
        Attempt attempt;
        try (Context context = InjectedDevices.open(file())) {
            assumeTrue(operation.needed() == null || context.supports(operation.needed()));
            var on = new Operands(context, Rxe.IPV4_INDEX);
            List<String> before = LeakCheck.objectsOfContexts();
            attempt = turns.take(() -> attempt(allocation, () -> operation.run(on)));
            if (attempt.thrown != null) {
                try {
                    assertThat(attempt.thrown).isInstanceOf(OutOfMemoryError.class);
                    if (!operation.closesContext()) {
                        assertThat(LeakCheck.objectsOfContexts()).hasSameSizeAs(before); // whose states may differ
                    }
                    close(turns.take(() -> operation.run(on)));
                } catch (AssertionError | RuntimeException e) {
                    e.addSuppressed(attempt.thrown);
                    throw e;
                }
            }
            close(attempt.made);
        }
        return attempt.struck;
    }

    private static Attempt attempt(int allocation, Callable<@Nullable AutoCloseable> step) {
        AutoCloseable[] made = new AutoCloseable[1];
        HeapHooks.arm(allocation);
        boolean struck;
        Throwable thrown;
        try {
            thrown = catchThrowable(() -> made[0] = step.call());
        } finally {
            struck = HeapHooks.disarm();
        }
        return new Attempt(struck, thrown, made[0]);
    }

    private static void close(@Nullable AutoCloseable made) throws Exception {
        if (made != null) {
            made.close();
        }
    }

    private static DeviceFile file() {
        return SIMULATED ? OwnHeap.of(Rxe.openFile()) : Rxe.openFile();
    }
}

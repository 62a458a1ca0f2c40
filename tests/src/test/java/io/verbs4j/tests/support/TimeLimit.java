// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Fails a test that hangs, and abandons it with its thread. The next test gets another thread. JUnit's own method
/// ([Timeout.ThreadMode#SEPARATE_THREAD]) starts a thread for each test, which takes a guest without hardware
/// virtualization longer than many tests. A test or class with its own [Timeout] keeps that.
final class TimeLimit implements InvocationInterceptor {
    /// A guest without hardware virtualization needs more than simulated devices do.
    private static final long SECONDS =
            TimeoutScale.scaled(Duration.ofSeconds(Simulated.isUsed() ? 30 : 240)).toSeconds();

    private static @Nullable Worker worker;

    /// A thread that runs tests, one after the other.
    private static final class Worker {
        private volatile @Nullable Thread thread;
        private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> {
            Thread started = Thread.ofPlatform().daemon().name("device tests").unstarted(work);
            thread = started;
            return started;
        });

        /// @return what the test has thrown
        @Nullable
        Throwable run(String name, Invocation<?> test) throws InterruptedException, ExecutionException {
            Future<@Nullable Throwable> outcome = executor.submit(() -> {
                Thread.interrupted(); // what the test before may have left
                try {
                    test.proceed();
                    return null;
                } catch (Throwable e) {
                    return e;
                }
            });
            try {
                return outcome.get(SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                var hanging = new IllegalStateException("it hangs here");
                Thread stuck = thread;
                if (stuck != null) {
                    hanging.setStackTrace(stuck.getStackTrace());
                }
                executor.shutdownNow();
                worker = null;
                return new AssertionError(name + " was not done after " + SECONDS + " seconds", hanging);
            }
        }
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        limit(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        limit(invocation, context);
    }

    private static void limit(Invocation<?> invocation, ExtensionContext context) throws Throwable {
        if (AnnotationSupport.isAnnotated(context.getElement(), Timeout.class)
                || AnnotationSupport.isAnnotated(context.getTestClass(), Timeout.class)) {
            invocation.proceed();
            return;
        }
        Worker present = worker;
        if (present == null) {
            present = new Worker();
            worker = present;
        }
        Throwable thrown = present.run(context.getDisplayName(), invocation);
        if (thrown != null) {
            throw thrown;
        }
    }
}

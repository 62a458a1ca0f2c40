// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;

/// A test of a kernel feature that simulated devices lack, such as sysfs. It is skipped on simulated devices only.
/// Reports count it and contain the reason. On a class or package, it applies to all tests there.
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PACKAGE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RealKernel {
    /// Returns what only a kernel has.
    String value();

    /// Skips each test of a class before its fixture is created, and a single test afterwards. The fixture's resources
    /// are closed after the test.
    final class Condition
            implements InvocationInterceptor, TestInstancePreConstructCallback, BeforeTestExecutionCallback {
        @Override
        public void interceptBeforeAllMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) throws Throwable {
            unlessSkipped(invocation, context);
        }

        @Override
        public void interceptAfterAllMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) throws Throwable {
            unlessSkipped(invocation, context);
        }

        private static void unlessSkipped(Invocation<@Nullable Void> invocation, ExtensionContext context)
                throws Throwable {
            if (Simulated.isUsed() && reason(context.getRequiredTestClass()) != null) {
                invocation.skip();
            } else {
                invocation.proceed();
            }
        }

        @Override
        public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
            skipOnSimulatedDevices(reason(factory.getTestClass()));
        }

        @Override
        public void beforeTestExecution(ExtensionContext context) {
            context.getElement().ifPresent(element -> skipOnSimulatedDevices(reason(element)));
        }

        private static @Nullable String reason(Class<?> test) {
            String own = reason((AnnotatedElement) test);
            return own == null ? reason((AnnotatedElement) test.getPackage()) : own;
        }

        private static @Nullable String reason(AnnotatedElement element) {
            return AnnotationSupport.findAnnotation(element, RealKernel.class)
                    .map(RealKernel::value)
                    .orElse(null);
        }

        /// Skips a test that represents many.
        ///
        /// @param reason the feature that only a kernel has; null if the test needs none
        public static void skipOnSimulatedDevices(@Nullable String reason) {
            Assumptions.assumeTrue(
                    reason == null || !Simulated.isUsed(), () -> "needs a real kernel: " + reason);
        }
    }
}

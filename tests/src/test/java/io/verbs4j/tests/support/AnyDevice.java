// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/// A class of tests that apply to any device. The lab runs it over rxe and over siw, and the build over a simulated
/// mlx5 card, on the devices of [Wire]. Tests of a feature that one of them lacks have the annotation [NotOverSiw] or
/// [NotOverMlx5].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("any-device")
@ExtendWith({AnyDevice.Condition.class, AnyDevice.Omission.class})
public @interface AnyDevice {

    /// Leaves a test out over siw; it counts as skipped there.
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface NotOverSiw {
        /// The reason: a feature that siw lacks.
        String value();
    }

    /// A class of tests of what siw does not have at all, which the build runs over the simulated mlx5 card as well.
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Tag("also-over-mlx5")
    @ExtendWith(Omission.class)
    @interface AlsoOverMlx5 {}

    /// Leaves a test out over the simulated mlx5 card; it counts as skipped there.
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface NotOverMlx5 {
        /// The reason: what the card or its provider does otherwise.
        String value();
    }

    /// Skips all where siw is asked for and missing.
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Wire.isSiw() && !Siw.isThere()
                    ? ConditionEvaluationResult.disabled(
                            "no siw0 and siw1: the lab makes them with --siw, if siw can be built for the kernel")
                    : ConditionEvaluationResult.enabled("the devices are there");
        }
    }

    /// Aborts marked tests before their fields are created. A condition is evaluated only afterwards, and then JUnit
    /// does not close the fields.
    final class Omission implements TestInstancePreConstructCallback {
        @Override
        public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
            return ExtensionContextScope.TEST_METHOD;
        }

        @Override
        public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
            context.getTestMethod()
                    .map(method -> method.getAnnotation(NotOverSiw.class))
                    .ifPresent(mark -> Assumptions.assumeFalse(Wire.isSiw(), () -> "siw: " + mark.value()));
            context.getTestMethod()
                    .map(method -> method.getAnnotation(NotOverMlx5.class))
                    .ifPresent(mark -> Assumptions.assumeFalse(Wire.isMlx5(), () -> "mlx5: " + mark.value()));
        }
    }
}

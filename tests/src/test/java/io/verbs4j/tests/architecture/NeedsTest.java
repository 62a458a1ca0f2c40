// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TestClasses;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/// Each device test states which kernels it needs. Without a statement, the default run would leave a test out
/// unnoticed.
class NeedsTest {
    /// From the most to the least.
    private static final List<Class<? extends Annotation>> NEEDS =
            List.of(Needs.EachKernel.class, Needs.OneKernel.class, Needs.NoKernel.class);

    private static List<Class<?>> outerClasses() {
        return TestClasses.all()
                .stream()
                .filter(type -> !type.isAnnotationPresent(Nested.class) && !Modifier.isAbstract(type.getModifiers()))
                .filter(type -> type.getName().endsWith("IT"))
                .toList();
    }

    private static Stream<Method> tests(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> AnnotationSupport.isAnnotated(method,
                        org.junit.platform.commons.annotation.Testable.class));
    }

    private static List<Integer> needs(AnnotatedElement element) {
        return NEEDS.stream().filter(element::isAnnotationPresent).map(NEEDS::indexOf).toList();
    }

    @Test
    void eachClassStatesOneNeed() {
        assertThat(outerClasses()).hasSizeGreaterThan(100)
                .allSatisfy(type -> assertThat(needs(type)).as(type.getSimpleName()).hasSize(1));
    }

    @Test
    void aMethodNeedsLessThanItsClass() {
        assertThat(TestClasses.all()).allSatisfy(type -> {
            Class<?> stated = statedBy(type);
            assertThat(tests(type).filter(method -> !needs(method).isEmpty()))
                    .allSatisfy(method -> assertThat(needs(method)).as(method.toString())
                            .singleElement()
                            .satisfies(need -> assertThat(need).isGreaterThan(needs(stated).getFirst())));
        });
    }

    private static Class<?> statedBy(Class<?> type) {
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null) {
            outer = outer.getEnclosingClass();
        }
        return outer;
    }

    @Test
    void whatNeedsNoKernelRunsOnSimulatedDevices() {
        assertThat(TestClasses.all()).allSatisfy(type -> {
            if (type.isAnnotationPresent(Needs.NoKernel.class)) {
                assertThat(realKernel(type)).as(type.getSimpleName()).isNull();
                assertThat(tests(type))
                        .allSatisfy(method -> assertThat(realKernel(method)).as(method.toString()).isNull());
            }
            assertThat(tests(type).filter(method -> method.isAnnotationPresent(Needs.NoKernel.class)))
                    .allSatisfy(method -> {
                        assertThat(realKernel(method)).as(method.toString()).isNull();
                        assertThat(realKernel(type)).as(method.toString()).isNull();
                    });
        });
    }

    private static @Nullable RealKernel realKernel(AnnotatedElement element) {
        RealKernel own = element.getAnnotation(RealKernel.class);
        return own == null && element instanceof Class<?> type ? type.getPackage().getAnnotation(RealKernel.class)
                : own;
    }

    @Test
    void testsForAnyDeviceRunOnRealOnes() {
        assertThat(TestClasses.all().stream().filter(type -> type.isAnnotationPresent(AnyDevice.class)))
                .isNotEmpty()
                .noneSatisfy(type -> assertThat(type).hasAnnotation(Needs.NoKernel.class));
    }
}

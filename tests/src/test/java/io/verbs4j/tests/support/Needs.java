// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// A device test's requirements on the kernel. They determine where `tools/lab test` runs the test. `tools/lab test
/// --all` runs each test on each kernel. A class has one of the first three annotations. A method may have one that
/// requires less than its class's.
///
/// | annotation | the default run has the test |
/// | --- | --- |
/// | [EachKernel] | on each kernel |
/// | [OneKernel] | on one kernel |
/// | [NoKernel] | on simulated devices, in `mvn verify` |
/// | [LongRun] | nowhere |
public final class Needs {
    private Needs() {}

    /// The kernels differ in what the test observes.
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Tag("each-kernel")
    public @interface EachKernel {}

    /// The test needs a real kernel, and the kernels do not differ in what it observes.
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Tag("one-kernel")
    public @interface OneKernel {
        /// Returns why one kernel is enough, where that is not plain.
        String value() default "";
    }

    /// Simulated devices prove the same.
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Tag("no-kernel")
    public @interface NoKernel {
        /// Returns why no kernel is needed, where that is not plain.
        String value() default "";
    }

    /// The test takes longer than ten seconds in a guest. It still runs in `mvn verify` if simulated devices suffice
    /// for it.
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Tag("long-run")
    public @interface LongRun {
        /// Returns what takes long.
        String value();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A class of tests on real rxe: none may hang, and nothing of theirs may be left in the kernel.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({RealKernel.Condition.class, LeakCheck.class, CoverageReport.class, ImpairedLink.Restoration.class,
        TimeLimit.class})
public @interface DeviceTest {}

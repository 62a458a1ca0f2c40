// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// A test that asks something of a kernel that simulated devices do not have, such as sysfs. It is left out on simulated devices,
/// and only there.
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealKernel.Condition.class)
public @interface RealKernel {
    /// What only a kernel has.
    String value();

    /// Leaves the test out on simulated devices, when its fixture stands: what that has opened is closed after it.
    final class Condition implements BeforeTestExecutionCallback {
        @Override
        public void beforeTestExecution(ExtensionContext context) {
            String reason = AnnotationSupport.findAnnotation(context.getElement(), RealKernel.class)
                    .map(RealKernel::value)
                    .orElse("");
            Assumptions.assumeFalse(SimulatedLeaks.isSimulated(), "needs a real kernel: " + reason);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// The tests of rdma-core's Python suite whose scenario a device test contains. `tools/lab pyverbs` runs both and
/// compares the results.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("scenario")
public @interface Scenario {
    /// Names as in the suite: `module.Class.method`.
    String[] value();
}

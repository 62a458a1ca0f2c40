// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The tests of rdma-core's Python suite whose scenario a test repeats. There are several if they only differ in which
/// of two equivalent C functions they call.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Scenario {
    /// Names as in the suite: `module.Class.method`.
    String[] value();
}

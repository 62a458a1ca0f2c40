// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The tests of rdma-core's Python suite whose scenario a test plays. More than one where they differ only in which of two C
/// functions does the same.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Scenario {
    /// Names as in the suite: `module.Class.method`.
    String[] value();
}

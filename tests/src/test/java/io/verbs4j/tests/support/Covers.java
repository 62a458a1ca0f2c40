// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The functions of libibverbs whose behaviour a test proves on the device, by their C names. On a class it applies to
/// all its tests. [CoverageReport] records the outcomes.
///
/// A function that the device or kernel refuses is covered too, if the test proves the refusal and reports it by
/// [CoverageReport#refused].
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Covers {
    /// Names as in `infiniband/verbs.h`, for example `ibv_post_send`.
    String[] value();
}

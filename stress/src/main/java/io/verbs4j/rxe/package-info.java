// SPDX-License-Identifier: Apache-2.0
/// Stress tests of the rings' memory ordering, in the package of the rings.
@NullMarked
package io.verbs4j.rxe;

import org.jspecify.annotations.NullMarked;

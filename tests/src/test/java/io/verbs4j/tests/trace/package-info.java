// SPDX-License-Identifier: Apache-2.0
/// Tests what traces record of real rxe.
@NullMarked
package io.verbs4j.tests.trace;

import org.jspecify.annotations.NullMarked;

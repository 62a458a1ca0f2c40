// SPDX-License-Identifier: Apache-2.0
/// Tests what of libibverbs there is in Java, and which tests prove it.
@NullMarked
package io.verbs4j.tests.coverage;

import org.jspecify.annotations.NullMarked;

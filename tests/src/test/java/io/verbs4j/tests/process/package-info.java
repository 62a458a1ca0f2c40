// SPDX-License-Identifier: Apache-2.0
/// Tests what the Java process looks like from outside, and what it allocates.
@NullMarked
package io.verbs4j.tests.process;

import org.jspecify.annotations.NullMarked;

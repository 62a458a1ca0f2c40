// SPDX-License-Identifier: Apache-2.0
/// Lack of heap: each allocation of an operation fails once.
@NullMarked
package io.verbs4j.tests.heap;

import org.jspecify.annotations.NullMarked;

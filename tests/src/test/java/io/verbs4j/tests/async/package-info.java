// SPDX-License-Identifier: Apache-2.0
/// Work as futures, and slabs.
@NullMarked
package io.verbs4j.tests.async;

import org.jspecify.annotations.NullMarked;

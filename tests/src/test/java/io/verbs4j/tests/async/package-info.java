// SPDX-License-Identifier: Apache-2.0
/// Work as futures, slabs and messages with credits.
@NullMarked
package io.verbs4j.tests.async;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Protection domains and memory regions.
@NullMarked
package io.verbs4j.tests.memory;

import org.jspecify.annotations.NullMarked;

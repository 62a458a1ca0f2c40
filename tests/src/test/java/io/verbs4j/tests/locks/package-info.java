// SPDX-License-Identifier: Apache-2.0
/// The order in which threads take locks, recorded while the device tests run.
@NullMarked
package io.verbs4j.tests.locks;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Packets and commands that no honest peer or program sends: the kernel must refuse them, and go on.
@NullMarked
package io.verbs4j.tests.hostile;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Shows of devices what is not among their attributes: GIDs, counters, and the objects that the kernel holds.
@NullMarked
package io.verbs4j.tools.inspect;

import org.jspecify.annotations.NullMarked;

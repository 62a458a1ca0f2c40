// SPDX-License-Identifier: Apache-2.0
/// Shows GIDs, counters, and the objects that the kernel holds on devices.
@NullMarked
package io.verbs4j.tools.inspect;

import org.jspecify.annotations.NullMarked;

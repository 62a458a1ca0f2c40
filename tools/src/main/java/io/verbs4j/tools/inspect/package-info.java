// SPDX-License-Identifier: Apache-2.0
/// What there is to see of devices besides their attributes: GIDs, counters, and the objects that the kernel holds.
@NullMarked
package io.verbs4j.tools.inspect;

import org.jspecify.annotations.NullMarked;

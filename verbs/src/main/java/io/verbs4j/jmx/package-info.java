// SPDX-License-Identifier: Apache-2.0
/// All that touches the module `java.management`, which not every program has.
@NullMarked
package io.verbs4j.jmx;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Programs that measure instead of test, and benchmarks (JMH) of the data path without a device. `tools/bench-ring`
/// compares them with an equivalent C program.
@NullMarked
package io.verbs4j.bench;

import org.jspecify.annotations.NullMarked;

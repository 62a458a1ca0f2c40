// SPDX-License-Identifier: Apache-2.0
/// Programs that are measured, not tested; and benchmarks (JMH) of the data path without a device, which `tools/bench-ring`
/// runs beside a C program that does the same.
@NullMarked
package io.verbs4j.bench;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Measures latency and bandwidth as the programs of perftest do, and speaks their exchange, so that either end may be the C
/// program.
@NullMarked
package io.verbs4j.tools.perf;

import org.jspecify.annotations.NullMarked;

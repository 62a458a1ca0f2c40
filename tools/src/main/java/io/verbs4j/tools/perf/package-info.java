// SPDX-License-Identifier: Apache-2.0
/// Measures latency and bandwidth like the programs of perftest, and uses their protocol, so that either end may be a C
/// program.
@NullMarked
package io.verbs4j.tools.perf;

import org.jspecify.annotations.NullMarked;

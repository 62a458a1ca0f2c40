// SPDX-License-Identifier: Apache-2.0
/// Simulated RDMA devices as parameters of JUnit 5 tests.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.simulator.junit;

import org.jspecify.annotations.NullMarked;

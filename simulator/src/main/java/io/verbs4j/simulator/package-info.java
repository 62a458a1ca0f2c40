// SPDX-License-Identifier: Apache-2.0
/// Simulated RDMA devices: a network of machines with rxe, in this process, on any system.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.simulator;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Simulated RDMA devices: a network of hosts with rxe in this process, on any operating system.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.simulator;

import org.jspecify.annotations.NullMarked;

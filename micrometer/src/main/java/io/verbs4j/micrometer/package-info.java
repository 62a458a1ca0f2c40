// SPDX-License-Identifier: Apache-2.0
/// Meters for Micrometer: a driver's counters ([PortMetrics]), the fill of queues ([QueueMetrics]), and the counts of
/// sockets ([SocketMetrics]). The meters are read when the registry is queried, and cost nothing on the data path.
///
/// Stability: API.
@NullMarked
package io.verbs4j.micrometer;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Meters for Micrometer: a driver's counters ([PortMetrics]) and the fill of queues ([QueueMetrics]). Both are read
/// when the registry is queried; the data path does nothing for them.
///
/// Stability: API.
@NullMarked
package io.verbs4j.micrometer;

import org.jspecify.annotations.NullMarked;

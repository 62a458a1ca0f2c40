// SPDX-License-Identifier: Apache-2.0
/// Meters for Micrometer: what a device's driver counts ([PortMetrics]), and how full queues are ([QueueMetrics]). Both read when
/// somebody asks the registry; the data path does nothing for it.
///
/// Stability: API.
@NullMarked
package io.verbs4j.micrometer;

import org.jspecify.annotations.NullMarked;

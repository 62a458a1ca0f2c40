// SPDX-License-Identifier: Apache-2.0
/// Exposes a program's queues to observers by JMX, if requested. Start at [Management].
///
/// Stability: API.
@NullMarked
package io.verbs4j.management;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Shows a program's queues to who watches it by JMX, on request. Start at [Management].
///
/// Stability: API.
@NullMarked
package io.verbs4j.management;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The order in which things happen: tasks, alarms and the clock.
@NullMarked
package io.verbs4j.simulator.engine;

import org.jspecify.annotations.NullMarked;

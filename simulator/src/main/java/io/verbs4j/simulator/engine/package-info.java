// SPDX-License-Identifier: Apache-2.0
/// The execution order of a simulation: tasks, alarms and the clock.
@NullMarked
package io.verbs4j.simulator.engine;

import org.jspecify.annotations.NullMarked;

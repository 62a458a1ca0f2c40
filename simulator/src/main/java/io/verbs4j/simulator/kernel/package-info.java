// SPDX-License-Identifier: Apache-2.0
/// The simulated kernel: device files, commands, objects by handle, and events.
@NullMarked
package io.verbs4j.simulator.kernel;

import org.jspecify.annotations.NullMarked;

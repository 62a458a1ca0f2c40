// SPDX-License-Identifier: Apache-2.0
/// The kernels that simulated devices imitate, and the behaviour in which they differ.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.simulator.profile;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The machine with the program's devices: this Linux system, or a simulated one.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.host;

import org.jspecify.annotations.NullMarked;

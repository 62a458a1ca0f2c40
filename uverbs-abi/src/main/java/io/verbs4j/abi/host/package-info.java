// SPDX-License-Identifier: Apache-2.0
/// The machine whose devices a program uses: this Linux system, or a simulated one.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.host;

import org.jspecify.annotations.NullMarked;

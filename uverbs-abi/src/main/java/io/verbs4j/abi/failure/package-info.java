// SPDX-License-Identifier: Apache-2.0
/// Errors of the kernel as exceptions: the operation that failed, the likely cause and the remedy.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.failure;

import org.jspecify.annotations.NullMarked;

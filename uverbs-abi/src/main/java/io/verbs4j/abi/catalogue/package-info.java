// SPDX-License-Identifier: Apache-2.0
/// The list of all commands.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.catalogue;

import org.jspecify.annotations.NullMarked;

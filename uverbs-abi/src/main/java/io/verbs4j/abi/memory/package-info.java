// SPDX-License-Identifier: Apache-2.0
/// Commands about protection domains, memory regions and memory windows.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.memory;

import org.jspecify.annotations.NullMarked;

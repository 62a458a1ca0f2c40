// SPDX-License-Identifier: Apache-2.0
/// Commands about a context and its device: its limits, ports, GIDs, partition keys and counters.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.context;

import org.jspecify.annotations.NullMarked;

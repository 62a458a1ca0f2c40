// SPDX-License-Identifier: Apache-2.0
/// Capture of RoCE v2 packets from a network interface.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.tools.wire;

import org.jspecify.annotations.NullMarked;

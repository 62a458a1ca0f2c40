// SPDX-License-Identifier: Apache-2.0
/// The boundary to the kernel: an open device file and the event files that it hands out. `io.verbs4j.abi.os` has those of a
/// running Linux; tests and simulators bring their own.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.device;

import org.jspecify.annotations.NullMarked;

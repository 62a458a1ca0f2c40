// SPDX-License-Identifier: Apache-2.0
/// The boundary to the kernel: an open device file and its event files. `io.verbs4j.abi.os` implements them for Linux;
/// tests and simulators have their own.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.device;

import org.jspecify.annotations.NullMarked;

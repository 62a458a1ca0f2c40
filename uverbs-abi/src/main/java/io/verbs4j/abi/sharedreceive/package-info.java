// SPDX-License-Identifier: Apache-2.0
/// Commands about shared receive queues.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.sharedreceive;

import org.jspecify.annotations.NullMarked;

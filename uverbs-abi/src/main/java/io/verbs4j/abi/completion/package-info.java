// SPDX-License-Identifier: Apache-2.0
/// Commands about completion channels and completion queues.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.completion;

import org.jspecify.annotations.NullMarked;

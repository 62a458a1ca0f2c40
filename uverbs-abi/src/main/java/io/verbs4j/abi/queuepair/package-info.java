// SPDX-License-Identifier: Apache-2.0
/// Commands about queue pairs, the doorbell of their send queues, and the transitions between their states.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.queuepair;

import org.jspecify.annotations.NullMarked;

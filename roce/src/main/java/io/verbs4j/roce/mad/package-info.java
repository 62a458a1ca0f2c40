// SPDX-License-Identifier: Apache-2.0
/// Management datagrams (MADs), which travel as UD packets to queue pair 1, and the connection manager's messages
/// inside these datagrams.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.roce.mad;

import org.jspecify.annotations.NullMarked;

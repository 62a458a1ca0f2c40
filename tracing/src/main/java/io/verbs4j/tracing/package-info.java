// SPDX-License-Identifier: Apache-2.0
/// Shows what crosses the line between a program and the kernel: each system call with its structs, field by field, and on
/// request each work request and completion. Start at [Tracing].
///
/// Stability: may change.
@NullMarked
package io.verbs4j.tracing;

import org.jspecify.annotations.NullMarked;

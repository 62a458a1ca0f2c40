// SPDX-License-Identifier: Apache-2.0
/// Traces between a program and the kernel: each system call with its structs, field by field. On request, a trace also
/// contains each work request and completion. Start with [Tracing].
///
/// Stability: may change.
@NullMarked
package io.verbs4j.tracing;

import org.jspecify.annotations.NullMarked;

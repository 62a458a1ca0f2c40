// SPDX-License-Identifier: Apache-2.0
/// Workarounds for quirks of rxe: one class for each. Each class is named in docs/rxe-quirks.md.
@NullMarked
package io.verbs4j.rxe.quirks;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.GidEntry;

/// The GID that was chosen, and the reason.
///
/// @param entry the chosen table entry
/// @param reason one sentence
public record GidSelection(GidEntry entry, String reason) {}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import org.jspecify.annotations.Nullable;

/// The result of a check.
///
/// @param severity the severity
/// @param check the checked object
/// @param message the finding
/// @param remedy the remedy; null if none is needed
public record Finding(Severity severity, String check, String message, @Nullable String remedy) {}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import org.jspecify.annotations.Nullable;

/// The result of a check.
///
/// @param severity how bad it is
/// @param check what was looked at
/// @param message what is so
/// @param remedy what to do about it; null if nothing need be done
record Finding(Severity severity, String check, String message, @Nullable String remedy) {}

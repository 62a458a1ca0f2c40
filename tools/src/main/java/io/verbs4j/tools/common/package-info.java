// SPDX-License-Identifier: Apache-2.0
/// Code that several commands use for their options, output and errors, and to choose devices.
@NullMarked
package io.verbs4j.tools.common;

import org.jspecify.annotations.NullMarked;

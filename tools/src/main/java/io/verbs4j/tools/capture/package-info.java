// SPDX-License-Identifier: Apache-2.0
/// Captures packets while a program runs, and links them with its work requests and completions.
@NullMarked
package io.verbs4j.tools.capture;

import org.jspecify.annotations.NullMarked;

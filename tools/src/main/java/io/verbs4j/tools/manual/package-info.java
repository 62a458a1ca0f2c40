// SPDX-License-Identifier: Apache-2.0
/// Writes what shells and users read about the command line, made from the commands themselves: completion and manual pages.
@NullMarked
package io.verbs4j.tools.manual;

import org.jspecify.annotations.NullMarked;

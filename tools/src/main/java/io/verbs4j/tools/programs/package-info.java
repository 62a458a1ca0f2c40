// SPDX-License-Identifier: Apache-2.0
/// Running Java programs, and their management interfaces.
@NullMarked
package io.verbs4j.tools.programs;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The command `verbs step`: shows a program's use of verbs, one step at a time.
@NullMarked
package io.verbs4j.tools.step;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The command `verbs step`: what a program does with verbs, one step at a time.
@NullMarked
package io.verbs4j.tools.step;

import org.jspecify.annotations.NullMarked;

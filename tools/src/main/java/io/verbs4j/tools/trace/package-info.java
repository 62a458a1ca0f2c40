// SPDX-License-Identifier: Apache-2.0
/// The command `verbs trace`.
@NullMarked
package io.verbs4j.tools.trace;

import org.jspecify.annotations.NullMarked;

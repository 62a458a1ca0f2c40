// SPDX-License-Identifier: Apache-2.0
/// The command `verbs rings`.
@NullMarked
package io.verbs4j.tools.rings;

import org.jspecify.annotations.NullMarked;

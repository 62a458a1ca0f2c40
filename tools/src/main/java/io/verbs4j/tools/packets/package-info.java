// SPDX-License-Identifier: Apache-2.0
/// `verbs packets` and `verbs capture`: RoCE packets as lines of text.
@NullMarked
package io.verbs4j.tools.packets;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// `verbs packets`: a capture as lines of text.
@NullMarked
package io.verbs4j.tools.packets;

import org.jspecify.annotations.NullMarked;

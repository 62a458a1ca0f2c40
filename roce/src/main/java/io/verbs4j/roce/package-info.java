// SPDX-License-Identifier: Apache-2.0
/// RoCE v2 packet codec: headers and packets as values, their invariant CRC, and capture files.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.roce;

import org.jspecify.annotations.NullMarked;

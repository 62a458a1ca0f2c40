// SPDX-License-Identifier: Apache-2.0
/// Queue pairs that the connection manager connects, for commands that measure or play.
@NullMarked
package io.verbs4j.tools.pairs;

import org.jspecify.annotations.NullMarked;

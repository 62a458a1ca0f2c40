// SPDX-License-Identifier: Apache-2.0
/// Queue pairs that the connection manager connects, for measurements and ping-pongs.
@NullMarked
package io.verbs4j.tools.pairs;

import org.jspecify.annotations.NullMarked;

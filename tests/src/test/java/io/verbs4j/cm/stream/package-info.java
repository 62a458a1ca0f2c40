// SPDX-License-Identifier: Apache-2.0
/// Doors into streams that only tests need.
@NullMarked
package io.verbs4j.cm.stream;

import org.jspecify.annotations.NullMarked;

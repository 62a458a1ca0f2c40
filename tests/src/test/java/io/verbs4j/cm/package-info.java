// SPDX-License-Identifier: Apache-2.0
/// Doors into the connection manager that only tests need.
@NullMarked
package io.verbs4j.cm;

import org.jspecify.annotations.NullMarked;

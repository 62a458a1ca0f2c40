// SPDX-License-Identifier: Apache-2.0
/// Connections by IP address.
@NullMarked
package io.verbs4j.tests.cm;

import org.jspecify.annotations.NullMarked;

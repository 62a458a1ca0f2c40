// SPDX-License-Identifier: Apache-2.0
/// Connections by IP address.
@NullMarked
@RealKernel("the connection manager")
package io.verbs4j.tests.cm;

import io.verbs4j.tests.support.RealKernel;
import org.jspecify.annotations.NullMarked;

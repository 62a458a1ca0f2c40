// SPDX-License-Identifier: Apache-2.0
/// Random walks over identifiers of the connection manager, with a model of their states beside them.
@NullMarked
@RealKernel("the connection manager")
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.support.RealKernel;
import org.jspecify.annotations.NullMarked;

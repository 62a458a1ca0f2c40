// SPDX-License-Identifier: Apache-2.0
/// Tests of streams that speak the protocol of rsockets, on real rxe.
@NullMarked
@RealKernel("the connection manager")
package io.verbs4j.tests.cm.rsocket;

import io.verbs4j.tests.support.RealKernel;
import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Tests of the simulated devices themselves.
@NullMarked
package io.verbs4j.tests.simulator;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The command line on real devices.
@NullMarked
package io.verbs4j.tests.tools;

import org.jspecify.annotations.NullMarked;

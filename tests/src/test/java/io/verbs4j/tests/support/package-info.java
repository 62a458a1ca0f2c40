// SPDX-License-Identifier: Apache-2.0
/// The common part of the tests: devices, connected queue pairs, the running kernel's quirks, and the search for leaks.
@NullMarked
package io.verbs4j.tests.support;

import org.jspecify.annotations.NullMarked;

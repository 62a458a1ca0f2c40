// SPDX-License-Identifier: Apache-2.0
/// The module diagram as rules.
@NullMarked
package io.verbs4j.tests.architecture;

import org.jspecify.annotations.NullMarked;

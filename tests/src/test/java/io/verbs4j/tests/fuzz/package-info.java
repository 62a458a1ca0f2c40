// SPDX-License-Identifier: Apache-2.0
/// Fuzz tests of all parsers of external input: briefly in the build, and guided by coverage in `tools/fuzz`.
@NullMarked
package io.verbs4j.tests.fuzz;

import org.jspecify.annotations.NullMarked;

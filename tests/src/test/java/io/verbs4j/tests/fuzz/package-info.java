// SPDX-License-Identifier: Apache-2.0
/// Everything that parses what others send, with input of any kind: briefly in the build, and led by coverage in `tools/fuzz`.
@NullMarked
package io.verbs4j.tests.fuzz;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Deliberate defects that the tests must notice.
@NullMarked
package io.verbs4j.tests.mutations;

import org.jspecify.annotations.NullMarked;

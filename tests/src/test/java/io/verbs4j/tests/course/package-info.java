// SPDX-License-Identifier: Apache-2.0
/// The course in `docs/course`: its programs, what they print, and that its pages say the same.
@NullMarked
package io.verbs4j.tests.course;

import org.jspecify.annotations.NullMarked;

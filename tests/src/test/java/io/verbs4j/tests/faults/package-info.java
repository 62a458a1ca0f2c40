// SPDX-License-Identifier: Apache-2.0
/// Work requests that fail: each as a completion, none as a crash.
@NullMarked
package io.verbs4j.tests.faults;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Many threads on the same objects: nothing is lost, nothing comes twice, nothing crashes.
@NullMarked
package io.verbs4j.tests.threads;

import org.jspecify.annotations.NullMarked;

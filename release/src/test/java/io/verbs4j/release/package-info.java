// SPDX-License-Identifier: Apache-2.0
/// Tests of the published artifacts.
@NullMarked
package io.verbs4j.release;

import org.jspecify.annotations.NullMarked;

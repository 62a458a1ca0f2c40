// SPDX-License-Identifier: Apache-2.0
/// Programs that are measured, not tested.
@NullMarked
package io.verbs4j.bench;

import org.jspecify.annotations.NullMarked;

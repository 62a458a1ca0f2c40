// SPDX-License-Identifier: Apache-2.0
/// Stress tests of siw's rings, in the package of the rings.
@NullMarked
package io.verbs4j.siw;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// The provider for the kernel's `siw` driver: its structs, rings and objects.
@NullMarked
package io.verbs4j.siw;

import org.jspecify.annotations.NullMarked;

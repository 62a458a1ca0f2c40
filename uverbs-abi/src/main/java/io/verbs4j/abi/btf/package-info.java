// SPDX-License-Identifier: Apache-2.0
/// The kernel's type information (BTF), enough of it to compare struct layouts with those of the kernel that runs.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.btf;

import org.jspecify.annotations.NullMarked;

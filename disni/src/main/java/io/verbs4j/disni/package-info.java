// SPDX-License-Identifier: Apache-2.0
/// What takes the place of DiSNI's native library: the calls of its `NativeDispatcher` on verbs4j.
///
/// Programs do not use this package. They put the artifact in front of DiSNI on the class path, where its
/// `NativeDispatcher` classes hide those of DiSNI. It does not work on the module path, since it has packages of the
/// same names as DiSNI.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.disni;

import org.jspecify.annotations.NullMarked;

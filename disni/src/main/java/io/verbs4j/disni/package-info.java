// SPDX-License-Identifier: Apache-2.0
/// Replaces DiSNI's native library: implements the calls of its `NativeDispatcher` with verbs4j.
///
/// Programs do not use this package. They put the artifact before DiSNI on the class path, where its `NativeDispatcher`
/// classes hide those of DiSNI. The artifact does not work on the module path, because it has packages of the same
/// names as DiSNI.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.disni;

import org.jspecify.annotations.NullMarked;

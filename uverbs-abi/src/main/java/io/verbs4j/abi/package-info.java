// SPDX-License-Identifier: Apache-2.0
/// The kernel's uverbs ABI: one class per C struct, the object, method and attribute ids, the command envelopes, and one
/// class per verb that knows its transport.
///
/// Callers outside the project's own modules should use `io.verbs4j`; this package follows the kernel and may change.
@NullMarked
package io.verbs4j.abi;

import org.jspecify.annotations.NullMarked;

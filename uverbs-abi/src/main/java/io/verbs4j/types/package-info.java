// SPDX-License-Identifier: Apache-2.0
/// The vocabulary of verbs4j: values without a lifetime. Flags, states, attributes, addresses and errors, as users read
/// and pass them, and as the kernel's ABI encodes them.
///
/// Everything that must be opened and closed lives in `io.verbs4j`; everything that is merely read or passed lives
/// here. The package sits in the lowest module, so that the ABI codecs, the providers and the API share one copy of
/// each fact.
///
/// Stability: API.
@NullMarked
package io.verbs4j.types;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Values of verbs4j that programs pass and receive: flags, states, attributes, addresses and errors. They need not be
/// closed.
///
/// The objects that programs open and close are in `io.verbs4j`. This package is in the lowest module, so that the ABI
/// codecs, the providers and the API share one definition of each value.
///
/// Stability: API.
@NullMarked
package io.verbs4j.types;

import org.jspecify.annotations.NullMarked;

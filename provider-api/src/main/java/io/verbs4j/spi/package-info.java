// SPDX-License-Identifier: Apache-2.0
/// The classes that a driver's provider implements: the factory, the context and the queue operations.
///
/// Stability: SPI.
@NullMarked
package io.verbs4j.spi;

import org.jspecify.annotations.NullMarked;

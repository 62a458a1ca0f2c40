// SPDX-License-Identifier: Apache-2.0
/// The classes that a driver implements: its factory, its context and its queue operations.
///
/// Stability: SPI.
@NullMarked
package io.verbs4j.spi;

import org.jspecify.annotations.NullMarked;

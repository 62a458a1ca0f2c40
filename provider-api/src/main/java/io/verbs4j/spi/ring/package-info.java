// SPDX-License-Identifier: Apache-2.0
/// The common part of the rings of all providers: memory that may be vacated, the accounting of batches, and the checks
/// of work requests by the limits that a driver states.
///
/// Stability: SPI.
@NullMarked
package io.verbs4j.spi.ring;

import org.jspecify.annotations.NullMarked;

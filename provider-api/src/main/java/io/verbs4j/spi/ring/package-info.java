// SPDX-License-Identifier: Apache-2.0
/// The parts that the rings of all providers have in common: safe access to mapped memory, the accounting of batches,
/// and checks of work requests against a driver's limits.
///
/// Stability: SPI.
@NullMarked
package io.verbs4j.spi.ring;

import org.jspecify.annotations.NullMarked;

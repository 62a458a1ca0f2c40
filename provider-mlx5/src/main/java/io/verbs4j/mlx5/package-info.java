// SPDX-License-Identifier: Apache-2.0
/// The provider for ConnectX cards: rings in memory of this process, doorbell records and doorbell pages.
@NullMarked
package io.verbs4j.mlx5;

import org.jspecify.annotations.NullMarked;

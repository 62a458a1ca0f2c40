// SPDX-License-Identifier: Apache-2.0
/// The provider for ConnectX cards: rings in the process's memory, doorbell records and doorbell pages.
@NullMarked
package io.verbs4j.mlx5;

import org.jspecify.annotations.NullMarked;

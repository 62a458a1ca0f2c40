// SPDX-License-Identifier: Apache-2.0

/// A simulated mlx5 card. It reads work requests from the memory where the provider writes them, makes simulated rxe
/// execute them, and writes completions, so that the tests for any device run over the mlx5 provider.
@NullMarked
package io.verbs4j.tests.card;

import org.jspecify.annotations.NullMarked;

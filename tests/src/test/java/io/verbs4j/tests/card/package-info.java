// SPDX-License-Identifier: Apache-2.0

/// An mlx5 card that is simulated: it reads work requests from the memory where the provider writes them, has simulated rxe carry
/// them out, and writes completions, so that the tests for any device run over the mlx5 provider.
@NullMarked
package io.verbs4j.tests.card;

import org.jspecify.annotations.NullMarked;

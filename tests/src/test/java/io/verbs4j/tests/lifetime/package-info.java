// SPDX-License-Identifier: Apache-2.0
/// Closing in every order and at every moment.
@NullMarked
package io.verbs4j.tests.lifetime;

import org.jspecify.annotations.NullMarked;

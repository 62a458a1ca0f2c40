// SPDX-License-Identifier: Apache-2.0
/// The state machine of queue pairs, and all that can be changed and asked of them.
@NullMarked
package io.verbs4j.tests.states;

import org.jspecify.annotations.NullMarked;

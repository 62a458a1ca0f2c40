// SPDX-License-Identifier: Apache-2.0
/// The simulated rxe: rings, queue pairs, and the requester, completer and responder between them and the wire.
@NullMarked
package io.verbs4j.simulator.rxe;

import org.jspecify.annotations.NullMarked;

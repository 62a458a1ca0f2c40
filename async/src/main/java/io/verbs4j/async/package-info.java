// SPDX-License-Identifier: Apache-2.0
/// Executes work requests with futures or callbacks. A [io.verbs4j.async.Dispatcher] passes completions to the code
/// that posted the work. A [io.verbs4j.async.SlabPool] leases pieces of one registered region.
///
/// Memory that the device may still use is not leased again. A cancelled future, a timeout and the close of a lease do
/// not end the work itself. The pool gets the memory back when the device has completed the work.
///
/// Stability: API.
@NullMarked
package io.verbs4j.async;

import org.jspecify.annotations.NullMarked;

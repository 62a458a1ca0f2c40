// SPDX-License-Identifier: Apache-2.0
/// Services on queue pairs, as futures or callbacks. A [io.verbs4j.async.Dispatcher] passes completions to the code
/// that posted the work. A [io.verbs4j.async.SlabPool] leases pieces of one registered region.
///
/// One rule holds everywhere: memory that the device may still use is not leased again. Cancelling a future, its
/// timeout and closing a lease do not end the work itself. The memory is returned when the device has completed the
/// work.
///
/// Stability: API.
@NullMarked
package io.verbs4j.async;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Builds services on queue pairs: a [io.verbs4j.async.Dispatcher] brings completions back to who posted the work, as
/// futures or callbacks; a [io.verbs4j.async.SlabPool] lends pieces of one registered region.
///
/// One rule holds everywhere: memory that the device may still use is not lent again. Cancelling a future, its timeout and closing a
/// lease end the program's interest in the work, not the work; the memory comes back when the device has completed it.
///
/// Stability: API.
@NullMarked
package io.verbs4j.async;

import org.jspecify.annotations.NullMarked;

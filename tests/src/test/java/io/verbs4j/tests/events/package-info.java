// SPDX-License-Identifier: Apache-2.0
/// Asynchronous events, and what becomes of a device that is removed.
@NullMarked
package io.verbs4j.tests.events;

import org.jspecify.annotations.NullMarked;

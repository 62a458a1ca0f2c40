// SPDX-License-Identifier: Apache-2.0
/// Asynchronous events, and the removal of a device.
@NullMarked
package io.verbs4j.tests.events;

import org.jspecify.annotations.NullMarked;

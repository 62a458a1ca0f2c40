// SPDX-License-Identifier: Apache-2.0
/// Finding and opening devices, and what they report about themselves.
@NullMarked
package io.verbs4j.tests.device;

import org.jspecify.annotations.NullMarked;

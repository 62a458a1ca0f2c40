// SPDX-License-Identifier: Apache-2.0
/// Checks a device by a list that its owner can run, and writes a report that can be sent.
@NullMarked
package io.verbs4j.tools.doctor.acceptance;

import org.jspecify.annotations.NullMarked;

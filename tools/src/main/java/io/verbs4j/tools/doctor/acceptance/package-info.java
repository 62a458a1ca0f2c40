// SPDX-License-Identifier: Apache-2.0
/// Checks for a device's owner, with a report for the project.
@NullMarked
package io.verbs4j.tools.doctor.acceptance;

import org.jspecify.annotations.NullMarked;

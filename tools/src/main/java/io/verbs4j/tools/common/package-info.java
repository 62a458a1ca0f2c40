// SPDX-License-Identifier: Apache-2.0
/// What the commands share: options, output, errors and the choice of devices.
@NullMarked
package io.verbs4j.tools.common;

import org.jspecify.annotations.NullMarked;

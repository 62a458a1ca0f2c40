// SPDX-License-Identifier: Apache-2.0
/// Tests of the parts of streams that need no device.
@NullMarked
package io.verbs4j.cm.rsocket;

import org.jspecify.annotations.NullMarked;

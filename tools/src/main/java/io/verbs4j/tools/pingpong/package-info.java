// SPDX-License-Identifier: Apache-2.0
/// The ping-pong programs, compatible with those of libibverbs: options, exchange of addresses, exchange of messages,
/// and output.
@NullMarked
package io.verbs4j.tools.pingpong;

import org.jspecify.annotations.NullMarked;

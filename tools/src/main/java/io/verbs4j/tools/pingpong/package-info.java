// SPDX-License-Identifier: Apache-2.0
/// The ping-pong programs: options, exchange of addresses, the exchange itself, and what is printed, compatible with those of libibverbs.
@NullMarked
package io.verbs4j.tools.pingpong;

import org.jspecify.annotations.NullMarked;

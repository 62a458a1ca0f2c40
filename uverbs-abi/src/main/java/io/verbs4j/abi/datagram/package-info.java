// SPDX-License-Identifier: Apache-2.0
/// Commands that datagrams need: address handles and multicast groups.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.datagram;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Tests of datagrams: queue pairs, address handles, multicast.
@NullMarked
package io.verbs4j.tests.datagram;

import org.jspecify.annotations.NullMarked;

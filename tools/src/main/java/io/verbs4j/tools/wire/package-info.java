// SPDX-License-Identifier: Apache-2.0
/// Frames around RoCE v2 packets, read and written with Pcap4J, and their capture from a network interface.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.tools.wire;

import org.jspecify.annotations.NullMarked;

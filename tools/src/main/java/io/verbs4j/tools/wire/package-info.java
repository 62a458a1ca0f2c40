// SPDX-License-Identifier: Apache-2.0
/// RoCE v2 as it crosses the wire: its headers as values, its packets as Pcap4J packets, and captures as lines of text.
@NullMarked
package io.verbs4j.tools.wire;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Byte streams over RDMA connections, by the wire protocol of librdmacm's rsockets, version 1: a Java program and one that calls `rsocket()`,
/// or that runs under librdmacm's preload library, talk to each other.
///
/// Each side offers a receive ring in two halves and a table of two entries. The peer writes data into the ring by RDMA writes with
/// immediate data, whose number says how many bytes came; when the program has read half of the ring, that half is offered again by a
/// write into the peer's table.
///
/// Stability: API.
///
/// @see <a href="https://man7.org/linux/man-pages/man7/rsocket.7.html">rsocket(7)</a>
@NullMarked
package io.verbs4j.cm.rsocket;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Byte streams over reliable connections, with the wire protocol of librdmacm's rsockets, version 1. Either end may be
/// a C program.
///
/// [RdmaStreamServer] listens, and [RdmaStream] connects, reads and writes. Each end writes bytes into a ring in the
/// peer's memory, by RDMA. Credits return as the peer's program reads.
///
/// Stability: API.
@NullMarked
package io.verbs4j.cm.stream;

import org.jspecify.annotations.NullMarked;

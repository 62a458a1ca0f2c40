// SPDX-License-Identifier: Apache-2.0
/// Streams of bytes over reliable connections, by the wire protocol of librdmacm's rsockets, version 1: either end may be C.
///
/// [RdmaStreamServer] listens, and [RdmaStream] connects, reads and writes. Bytes travel as RDMA writes into a ring of the peer's;
/// credits go back as the program reads.
///
/// Stability: API.
@NullMarked
package io.verbs4j.cm.stream;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/// Connections to Valkey servers over RDMA: **experimental**, as Valkey's own RDMA transport is.
///
/// [ValkeySocketFactory] creates sockets for Java clients that accept a socket factory, such as valkey-java and Jedis.
/// [ValkeyConnection] is the byte stream itself, blocking and asynchronous. The client encodes and decodes Valkey's
/// commands: this package only transports bytes.
///
/// Stability: may change.
///
/// @see <a href="https://valkey.io/topics/RDMA/">Valkey Over RDMA</a>
@NullMarked
package io.verbs4j.valkey;

import org.jspecify.annotations.NullMarked;

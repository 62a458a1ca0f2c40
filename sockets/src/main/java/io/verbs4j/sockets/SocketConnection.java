// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

/// An open connection of a socket.
///
/// @param transport `RDMA` or `TCP`
/// @param local local address and port
/// @param peer the peer's address and port
public record SocketConnection(String transport, String local, String peer) {}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The addresses of an identifier of the connection manager.
///
/// @param local local address; null if the identifier is not bound
/// @param peer the peer's address; null if there is none
/// @param nodeGuid GUID of the RDMA device, whose first byte is the number's highest byte; 0 if there is no device yet
/// @param port port of the device, from 1; 0 if there is no device yet
/// @param pkey P_Key, 16 bits
/// @param deviceIndex the kernel's number for the device; valid only if there is a device
public record ConnectionAddresses(
        @Nullable InetSocketAddress local,
        @Nullable InetSocketAddress peer,
        long nodeGuid,
        int port,
        int pkey,
        int deviceIndex) {}

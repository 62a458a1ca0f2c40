// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Path of datagrams to a peer or to a multicast group (`struct rdma_ud_param`).
///
/// @param queuePairNumber number of the peer's queue pair, 24 bits; [#MULTICAST] for a group
/// @param qkey the Q_Key that a datagram must carry
/// @param path the path, for an address handle
/// @param privateData data of the application
public record DatagramPath(int queuePairNumber, int qkey, AddressVector path, PrivateData privateData) {
    /// The queue pair number of datagrams to a multicast group (IBA vol. 1, 9.8.3.1).
    public static final int MULTICAST = 0xffffff;

    /// Checks the range.
    ///
    /// @throws IllegalArgumentException if the number has more than 24 bits
    public DatagramPath {
        Ranges.check("queuePairNumber", queuePairNumber, 0, 0xffffff);
    }
}

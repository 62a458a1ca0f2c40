// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.UdpSourcePort;

/// A resolved path (`struct rxe_av`): the addresses and IP header fields of packets.
///
/// @param source the local address
/// @param destination the peer's address
/// @param sourceIndex index of the local address in the port's table
/// @param flowLabel 20 bits
/// @param hopLimit hop limit of the IP header
/// @param trafficClass traffic class of the IP header
/// @param port the local port
public record Path(
        Address source, Address destination, int sourceIndex, int flowLabel, int hopLimit, int trafficClass,
        int port) {
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int NUMBER = 0xff_ffff;

    /// Returns the UDP source port, which lets routers distinguish flows.
    ///
    /// @param number the queue pair's number
    /// @param peer the number of the peer's queue pair
    int sourcePort(int number, int peer) {
        int label = flowLabel & FLOW_LABEL;
        return label == 0
                ? UdpSourcePort.ofQueuePairs(number & NUMBER, peer & NUMBER)
                : UdpSourcePort.ofFlowLabel(label);
    }
}

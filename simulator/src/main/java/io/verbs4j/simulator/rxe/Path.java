// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

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
        int port) {}

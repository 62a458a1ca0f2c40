// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// A resolved path (`struct rxe_av`): where packets go and what their IP headers say.
///
/// @param source our address
/// @param destination the peer's address
/// @param sourceIndex index of our address in the port's table
/// @param flowLabel 20 bits
/// @param hopLimit of the IP header
/// @param trafficClass of the IP header
/// @param port our port
public record Path(
        Address source, Address destination, int sourceIndex, int flowLabel, int hopLimit, int trafficClass,
        int port) {}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// The way between devices.
public interface Wire {
    /// Brings a packet to whoever has its destination address, late, twice, changed or not at all.
    ///
    /// @return whether the sender could send it
    boolean send(RxeDevice sender, Packet packet);

    /// Returns whether all network interfaces that a packet of a device passes carry it.
    boolean carries(RxeDevice sender, Packet packet);

    /// Returns whether somebody on the wire has the address, so that a neighbour's Ethernet address can be found.
    boolean knows(RxeDevice sender, Address address);
}

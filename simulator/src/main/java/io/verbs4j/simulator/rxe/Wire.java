// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// The network between devices.
public interface Wire {
    /// Delivers a packet to the device with its destination address. The packet may be delayed, duplicated, changed or
    /// lost.
    ///
    /// @return whether the sender could send it
    boolean send(RxeDevice sender, Packet packet);

    /// Returns whether all network interfaces on a packet's path carry it.
    boolean carries(RxeDevice sender, Packet packet);

    /// Returns whether a device on the wire has an address, so that its Ethernet address can be resolved.
    boolean knows(RxeDevice sender, Address address);
}

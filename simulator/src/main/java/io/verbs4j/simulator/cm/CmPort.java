// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.kernel.DeviceNode;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.types.Mtu;

/// The port of a device, from the connection manager's point of view.
///
/// @param index number of the device
public record CmPort(DeviceNode node, int index) {
    /// Number of the port. Simulated devices have one port.
    static final int NUMBER = 1;

    /// Returns the index of an address in the port's table; negative if the port does not have it.
    public int gidIndex(Address address) {
        return node.addresses().indexOf(address);
    }

    /// Returns the MTU of its packets as a code: 1 for 256 bytes, 5 for 4096.
    int mtuCode() {
        return Mtu.ofBytes(node.rxe().activeMtu()).value();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.types.VerbsException;
import java.util.HashMap;
import java.util.Map;

/// The drivers' numbers, as RDMA netlink tells them.
final class DriverIds {
    private DriverIds() {}

    /// The drivers of all devices of this machine, by the names of their character devices; empty if netlink cannot be
    /// asked, as in some containers.
    static Map<String, Integer> byUverbsName() {
        var drivers = new HashMap<String, Integer>();
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            for (RdmaNetlink.Device device : netlink.devices()) {
                addDriver(netlink, device, drivers);
            }
        } catch (VerbsException | UnsupportedOperationException e) {
            return drivers;
        }
        return drivers;
    }

    private static void addDriver(RdmaNetlink netlink, RdmaNetlink.Device device, Map<String, Integer> drivers) {
        try {
            RdmaNetlink.CharacterDevice node = netlink.uverbs(device.index());
            drivers.put(node.name(), node.driverId());
        } catch (VerbsException e) {
            // It has no uverbs node, or vanished since it was listed.
        }
    }
}

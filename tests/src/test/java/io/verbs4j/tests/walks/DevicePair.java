// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TemporaryWire;
import io.verbs4j.types.Gid;

/// The two devices of a walk, and the GIDs at which they reach each other.
record DevicePair(Host host, Device left, Device right, Gid leftGid, Gid rightGid) {
    /// Returns the lab's.
    static DevicePair ofTheLab() {
        return new DevicePair(Host.current(), Devices.find(Rxe.LEFT), Devices.find(Rxe.RIGHT), Rxe.gid(1), Rxe.gid(2));
    }

    /// Returns those of a wire of its own.
    static DevicePair of(TemporaryWire wire) {
        return new DevicePair(Host.current(), wire.device(1), wire.device(2), wire.gid(1), wire.gid(2));
    }

    Device device(Side side) {
        return side == Side.LEFT ? left : right;
    }

    Gid gid(Side side) {
        return side == Side.LEFT ? leftGid : rightGid;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Kind of RDMA device (`enum ibv_node_type`; sysfs `node_type`).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IBV_NODE_*`)
public record NodeType(int value) {
    /// Channel adapter: InfiniBand and RoCE devices.
    public static final NodeType CA = new NodeType(1);

    /// InfiniBand switch.
    public static final NodeType SWITCH = new NodeType(2);

    /// InfiniBand router.
    public static final NodeType ROUTER = new NodeType(3);

    /// iWARP device.
    public static final NodeType RNIC = new NodeType(4);

    /// Cisco usNIC.
    public static final NodeType USNIC = new NodeType(5);

    /// Cisco usNIC over UDP.
    public static final NodeType USNIC_UDP = new NodeType(6);

    /// Not reported.
    public static final NodeType UNSPECIFIED = new NodeType(7);

    private static final CodeNames NAMES =
            new CodeNames("", "CA", "SWITCH", "ROUTER", "RNIC", "USNIC", "USNIC_UDP", "UNSPECIFIED");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}

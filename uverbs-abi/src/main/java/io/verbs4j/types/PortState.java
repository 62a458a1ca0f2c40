// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Logical state of a port (`enum ibv_port_state`, IBA vol. 1, 14.2.5.6).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IBV_PORT_*`)
public record PortState(int value) {
    /// No change (never reported).
    public static final PortState NOP = new PortState(0);

    /// `IBV_PORT_DOWN`: no link.
    public static final PortState DOWN = new PortState(1);

    /// `IBV_PORT_INIT`: the link is up, but not configured yet.
    public static final PortState INIT = new PortState(2);

    /// `IBV_PORT_ARMED`: the port is configured, but not active yet.
    public static final PortState ARMED = new PortState(3);

    /// `IBV_PORT_ACTIVE`: the port can send and receive.
    public static final PortState ACTIVE = new PortState(4);

    /// `IBV_PORT_ACTIVE_DEFER`: the port is active, but its link is recovering from a failure.
    public static final PortState ACTIVE_DEFER = new PortState(5);

    private static final CodeNames NAMES = new CodeNames("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}

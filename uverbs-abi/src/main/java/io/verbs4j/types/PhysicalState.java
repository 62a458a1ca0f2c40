// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Physical state of a port (IBA vol. 1, 14.2.5.6, PortPhysicalState).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IB_PORT_PHYS_STATE_*`)
public record PhysicalState(int value) {
    /// The port sleeps.
    public static final PhysicalState SLEEP = new PhysicalState(1);

    /// The port searches for a link partner.
    public static final PhysicalState POLLING = new PhysicalState(2);

    /// The port is switched off.
    public static final PhysicalState DISABLED = new PhysicalState(3);

    /// The port configures its link.
    public static final PhysicalState PORT_CONFIGURATION_TRAINING = new PhysicalState(4);

    /// The link is up.
    public static final PhysicalState LINK_UP = new PhysicalState(5);

    /// The link recovers from errors.
    public static final PhysicalState LINK_ERROR_RECOVERY = new PhysicalState(6);

    /// The port is under test.
    public static final PhysicalState PHY_TEST = new PhysicalState(7);

    private static final CodeNames NAMES = new CodeNames("", "SLEEP", "POLLING", "DISABLED",
            "PORT_CONFIGURATION_TRAINING", "LINK_UP", "LINK_ERROR_RECOVERY", "PHY_TEST");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}

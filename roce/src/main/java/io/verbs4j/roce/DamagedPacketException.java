// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// Thrown if a packet to the RoCE v2 port cannot be parsed. A packet of another protocol does not cause this exception.
public final class DamagedPacketException extends Exception {
    private static final long serialVersionUID = 1;

    /// @param message description of the damage
    public DamagedPacketException(String message) {
        super(message);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A packet to the RoCE v2 port that cannot be parsed, in contrast to a packet of another protocol.
public final class DamagedPacketException extends Exception {
    private static final long serialVersionUID = 1;

    /// @param message the damage
    public DamagedPacketException(String message) {
        super(message);
    }
}

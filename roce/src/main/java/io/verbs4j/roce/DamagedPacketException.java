// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A packet to the port of RoCE v2 that cannot be read, as opposed to a packet of another kind.
public final class DamagedPacketException extends Exception {
    private static final long serialVersionUID = 1;

    /// @param message what is wrong with the packet
    public DamagedPacketException(String message) {
        super(message);
    }
}

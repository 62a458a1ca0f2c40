// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// A captured RoCE v2 packet with addresses and time.
///
/// @param nanoseconds time of the capture, since 1970
/// @param source IP address of the sender
/// @param destination IP address of the receiver
/// @param sourcePort UDP source port
/// @param packet the packet
/// @param expectedIcrc the correct invariant CRC
public record RoceFrame(
        long nanoseconds,
        InetAddress source,
        InetAddress destination,
        int sourcePort,
        RoceV2Packet packet,
        int expectedIcrc) {
    /// Returns whether the invariant CRC is right.
    public boolean isIntact() {
        return packet.icrc() == expectedIcrc;
    }
}

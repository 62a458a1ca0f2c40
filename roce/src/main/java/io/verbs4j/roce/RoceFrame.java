// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// A RoCE v2 packet and how it travelled.
///
/// @param nanoseconds when it was captured, since 1970
/// @param source where it came from
/// @param destination where it went to
/// @param sourcePort UDP source port
/// @param packet the packet
/// @param expectedIcrc the invariant CRC that it should end with
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

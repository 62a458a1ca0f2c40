// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// A whole RoCE packet and how it travelled.
///
/// @param number of the frame in the capture, from 1
/// @param nanoseconds when it was captured, since 1970, or [CapturedFrame#NO_TIME]
/// @param layers what carried it
/// @param packet the packet
/// @param expectedIcrc the invariant CRC that it should end with
public record RoceFrame(long number, long nanoseconds, FrameLayers layers, RoceV2Packet packet, int expectedIcrc)
        implements DecodedFrame {
    /// Returns where it came from.
    public InetAddress source() {
        return layers.source();
    }

    /// Returns where it went to.
    public InetAddress destination() {
        return layers.destination();
    }

    /// Returns the UDP source port; 0 in RoCE v1.
    public int sourcePort() {
        return layers.sourcePort();
    }

    /// Returns whether the invariant CRC is right.
    public boolean isIntact() {
        return packet.icrc() == expectedIcrc;
    }
}

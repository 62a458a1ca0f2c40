// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// A complete RoCE packet and its layers.
///
/// @param number number of the frame in the capture, from 1
/// @param nanoseconds time of the capture, since 1970, or [CapturedFrame#NO_TIME]
/// @param layers the layers around the packet
/// @param packet the packet
/// @param expectedIcrc the correct invariant CRC
public record RoceFrame(long number, long nanoseconds, FrameLayers layers, RoceV2Packet packet, int expectedIcrc)
        implements DecodedFrame {
    /// Returns the source address.
    public InetAddress source() {
        return layers.source();
    }

    /// Returns the destination address.
    public InetAddress destination() {
        return layers.destination();
    }

    /// Returns the UDP source port; 0 in RoCE v1.
    public int sourcePort() {
        return layers.sourcePort();
    }

    /// Returns whether the invariant CRC is correct.
    public boolean isIntact() {
        return packet.icrc() == expectedIcrc;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// Finds the RoCE packet in a captured frame: version 2 in UDP over IPv4 or IPv6, version 1 after its Ethernet type.
/// Supports VLAN tags (802.1Q and 802.1ad), VXLAN, GRE and ERSPAN. A packet that a snap length or an adapter has
/// truncated is decoded as far as possible. Thread-safe.
public final class FrameDecoder {
    private FrameDecoder() {}

    /// Returns the contents of a frame.
    public static DecodedFrame decode(CapturedFrame frame) {
        return new LayerWalk(frame).decode();
    }

    /// Decodes a built-in packet, so that all classes are loaded. A live capture calls this method before it starts.
    /// Otherwise, loading the classes would delay the first packets.
    ///
    /// @return the built-in packet
    public static RoceFrame warmUp() {
        var bth = new Bth(RoceOpcode.RC_ACKNOWLEDGE, false, false, 0, 0, 0, false, false, 0, false, 0);
        var acknowledge = new RoceV2Packet.Builder().bth(bth).extensions(new Aeth(0, 0)).build();
        InetAddress address = InetAddress.getLoopbackAddress();
        byte[] bytes = FrameEncoder.encode(address, address, 0, acknowledge);
        return (RoceFrame) decode(new CapturedFrame(1, 0, bytes.length, bytes));
    }
}

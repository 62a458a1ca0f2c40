// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;

/// Finds the RoCE packet in a captured frame: of version 2 in UDP over IPv4 or IPv6, of version 1 behind its type of Ethernet;
/// behind VLAN tags of 802.1Q and 802.1ad, and in VXLAN, GRE and ERSPAN. A packet that is cut, by a snap length or by an adapter, is
/// decoded as far as it goes. Any thread may use it.
public final class FrameDecoder {
    private FrameDecoder() {}

    /// Returns what is in a frame.
    public static DecodedFrame decode(CapturedFrame frame) {
        return new LayerWalk(frame).decode();
    }

    /// Decodes a packet of its own. A live capture does so before it starts: otherwise the first packet would wait until all
    /// classes are loaded, and so would the times of those after it.
    ///
    /// @return that packet
    public static RoceFrame warmUp() {
        var bth = new Bth(RoceOpcode.RC_ACKNOWLEDGE, false, false, 0, 0, 0, false, false, 0, false, 0);
        var acknowledge = new RoceV2Packet.Builder().bth(bth).extensions(new Aeth(0, 0)).build();
        InetAddress address = InetAddress.getLoopbackAddress();
        byte[] bytes = FrameEncoder.encode(address, address, 0, acknowledge);
        return (RoceFrame) decode(new CapturedFrame(1, 0, bytes.length, bytes));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.util.Arrays;
import java.util.zip.CRC32;

/// The invariant CRC of RoCE v2: the CRC-32 of Ethernet over the packet from the IP header on, with all ones in place of
/// what routers may change (IBA vol. 1, A17.3.3; `rxe_icrc_hdr` in drivers/infiniband/sw/rxe/rxe_icrc.c).
public final class Icrc {
    /// In place of the InfiniBand link header, which RoCE lacks.
    private static final int LINK_HEADER_BYTES = 8;
    private static final int UDP_BYTES = 8;
    private static final int IPV4_VERSION = 4;

    private Icrc() {}

    /// The CRC that a packet should end with.
    ///
    /// @param frame holds the whole packet
    /// @param ipOffset where its IP header starts
    /// @param udpOffset where its UDP header starts
    /// @param end where the CRC itself starts
    public static int compute(byte[] frame, int ipOffset, int udpOffset, int end) {
        byte[] masked = new byte[LINK_HEADER_BYTES + end - ipOffset];
        System.arraycopy(frame, ipOffset, masked, LINK_HEADER_BYTES, end - ipOffset);
        Arrays.fill(masked, 0, LINK_HEADER_BYTES, (byte) 0xff);
        int ip = LINK_HEADER_BYTES;
        if (masked[ip] >>> 4 == IPV4_VERSION) {
            masked[ip + 1] = (byte) 0xff; // type of service
            masked[ip + 8] = (byte) 0xff; // time to live
            Arrays.fill(masked, ip + 10, ip + 12, (byte) 0xff); // checksum
        } else {
            masked[ip] |= 0x0f; // traffic class
            Arrays.fill(masked, ip + 1, ip + 4, (byte) 0xff); // traffic class, flow label
            masked[ip + 7] = (byte) 0xff; // hop limit
        }
        int udp = LINK_HEADER_BYTES + udpOffset - ipOffset;
        Arrays.fill(masked, udp + 6, udp + 8, (byte) 0xff); // checksum
        masked[udp + UDP_BYTES + 4] = (byte) 0xff; // congestion bits and reserved bits of the base transport header
        var crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }
}

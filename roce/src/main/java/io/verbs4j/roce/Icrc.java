// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.util.Arrays;
import java.util.zip.CRC32;

/// The invariant CRC of RoCE: Ethernet's CRC-32 of the packet from the IP header on. Fields that routers may change are
/// replaced by ones (IBA vol. 1, A17.3.3; `rxe_icrc_hdr` in drivers/infiniband/sw/rxe/rxe_icrc.c).
public final class Icrc {
    /// Replaces the InfiniBand link header, which RoCE lacks.
    private static final int LINK_HEADER_BYTES = 8;
    /// In RoCE v1, the base transport header follows the global route header directly, without UDP.
    private static final int GLOBAL_ROUTE_HEADER_BYTES = 40;
    private static final int IPV4_VERSION = 4;

    private Icrc() {}

    /// Returns the correct CRC of a packet.
    ///
    /// @param frame contains the whole packet
    /// @param ipOffset offset of the IP header, or of RoCE v1's global route header
    /// @param bthOffset offset of the base transport header
    /// @param end offset of the CRC itself
    public static int compute(byte[] frame, int ipOffset, int bthOffset, int end) {
        byte[] masked = new byte[LINK_HEADER_BYTES + end - ipOffset];
        System.arraycopy(frame, ipOffset, masked, LINK_HEADER_BYTES, end - ipOffset);
        Arrays.fill(masked, 0, LINK_HEADER_BYTES, (byte) 0xff);
        int ip = LINK_HEADER_BYTES;
        int bth = LINK_HEADER_BYTES + bthOffset - ipOffset;
        boolean ipV4 = masked[ip] >>> 4 == IPV4_VERSION;
        if (ipV4) {
            masked[ip + 1] = (byte) 0xff; // type of service
            masked[ip + 8] = (byte) 0xff; // time to live
            Arrays.fill(masked, ip + 10, ip + 12, (byte) 0xff); // checksum
        } else {
            masked[ip] |= 0x0f; // traffic class
            Arrays.fill(masked, ip + 1, ip + 4, (byte) 0xff); // traffic class, flow label
            masked[ip + 7] = (byte) 0xff; // hop limit
        }
        if (ipV4 || bth - ip != GLOBAL_ROUTE_HEADER_BYTES) {
            Arrays.fill(masked, bth - 2, bth, (byte) 0xff); // UDP checksum
        }
        masked[bth + 4] = (byte) 0xff; // congestion bits and reserved bits of the base transport header
        var crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct tpacket_stats` (include/uapi/linux/if_packet.h): the counters of a packet socket since the last query.
/// Written by the kernel.
public final class TpacketStats {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IF_PACKET,
            "tpacket_stats",
            u32("tp_packets", "frames that passed the filter"),
            u32("tp_drops", "dropped ones, because the buffer was full"));

    private TpacketStats() {}
}

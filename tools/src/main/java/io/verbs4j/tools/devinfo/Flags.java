// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Names of bits, in the words and the order of `ibv_devinfo`. Bits without a name follow as one number.
final class Flags {
    private static final long HIGH = 0xffff_ffff_0000_0000L;

    /// `IBV_DEVICE_*`.
    static final Flags DEVICE = new Flags()
            .bit(0, "RESIZE_MAX_WR")
            .bit(1, "BAD_PKEY_CNTR")
            .bit(2, "BAD_QKEY_CNTR")
            .bit(3, "RAW_MULTI")
            .bit(4, "AUTO_PATH_MIG")
            .bit(5, "CHANGE_PHY_PORT")
            .bit(6, "UD_AV_PORT_ENFORCE")
            .bit(7, "CURR_QP_STATE_MOD")
            .bit(8, "SHUTDOWN_PORT")
            .bit(9, "INIT_TYPE")
            .bit(10, "PORT_ACTIVE_EVENT")
            .bit(11, "SYS_IMAGE_GUID")
            .bit(12, "RC_RNR_NAK_GEN")
            .bit(13, "SRQ_RESIZE")
            .bit(14, "N_NOTIFY_CQ")
            .bit(17, "MEM_WINDOW")
            .bit(18, "UD_IP_CSUM")
            .bit(20, "XRC")
            .bit(21, "MEM_MGT_EXTENSIONS")
            .bit(23, "MEM_WINDOW_TYPE_2A")
            .bit(24, "MEM_WINDOW_TYPE_2B")
            .bit(25, "RC_IP_CSUM")
            .bit(26, "RAW_IP_CSUM")
            .bit(29, "MANAGED_FLOW_STEERING");

    /// The upper half of the device capability flags. Flush and atomic write, which rxe supports, have no name in
    /// `ibv_devinfo`, so they have none here.
    static final Flags DEVICE_EXTENDED = new Flags()
            .bit(34, "RAW_SCATTER_FCS")
            .bit(36, "PCI_WRITE_END_PADDING")
            .bit(41, "CC_DMA_BOUNCE");

    /// `IBV_ODP_*`: general flags.
    static final Flags ODP = new Flags().bit(0, "ODP_SUPPORT").bit(1, "ODP_SUPPORT_IMPLICIT");

    /// `IBV_ODP_SUPPORT_*`: flags of a transport.
    static final Flags ODP_TRANSPORT = new Flags()
            .bit(0, "SUPPORT_SEND")
            .bit(1, "SUPPORT_RECV")
            .bit(2, "SUPPORT_WRITE")
            .bit(3, "SUPPORT_READ")
            .bit(4, "SUPPORT_ATOMIC")
            .bit(5, "SUPPORT_SRQ")
            .bit(6, "SUPPORT_FLUSH")
            .bit(7, "SUPPORT_ATOMIC_WRITE");

    /// `IBV_RAW_PACKET_CAP_*`.
    static final Flags RAW_PACKET = new Flags()
            .bit(0, "C-VLAN stripping offload")
            .bit(1, "Scatter FCS offload")
            .bit(2, "IP csum offload")
            .bit(3, "Delay drop");

    private final Map<Long, String> names = new LinkedHashMap<>();

    private Flags() {}

    private Flags bit(int position, String name) {
        names.put(1L << position, name);
        return this;
    }

    /// Returns the names of the bits that are set.
    List<String> of(long flags) {
        var set = new ArrayList<String>();
        long unnamed = flags;
        for (var entry : names.entrySet()) {
            if ((flags & entry.getKey()) != 0) {
                set.add(entry.getValue());
                unnamed &= ~entry.getKey();
            }
        }
        if (unnamed != 0) {
            set.add(String.format(Locale.ROOT, "Unknown flags: 0x%X", unnamed));
        }
        return set;
    }

    static List<String> deviceExtended(long flags) {
        return DEVICE_EXTENDED.of(flags & HIGH);
    }
}

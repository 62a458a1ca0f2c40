// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.tools.common.AddressText;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;
import java.io.PrintWriter;
import java.util.Locale;

/// Prints a port like `ibv_devinfo`.
record PortReport(PrintWriter out, boolean verbose, boolean showPhysicalState) {
    void print(DeviceFacts.Port facts) {
        PortAttributes port = facts.attributes();
        line("\t\tport:\t%d", port.port());
        line("\t\t\tstate:\t\t\t%s (%d)", CodeTexts.portState(port.state()), port.state().value());
        line("\t\t\tmax_mtu:\t\t%s", mtu(port.maxMtu()));
        line("\t\t\tactive_mtu:\t\t%s", mtu(port.activeMtu()));
        line("\t\t\tsm_lid:\t\t\t%d", port.subnetManagerLid());
        line("\t\t\tport_lid:\t\t%d", port.lid());
        line("\t\t\tport_lmc:\t\t0x%02x", port.lidMaskControl());
        line("\t\t\tlink_layer:\t\t%s", CodeTexts.linkLayer(port.linkLayer()));
        if (verbose) {
            printDetails(port);
            for (GidEntry entry : facts.gids()) {
                printGid(entry, port.linkLayer());
            }
        }
        line("");
    }

    private void printDetails(PortAttributes port) {
        line("\t\t\tmax_msg_sz:\t\t0x%x", port.maxMessageSize());
        line("\t\t\tport_cap_flags:\t\t0x%08x", port.capabilityFlags());
        line("\t\t\tport_cap_flags2:\t0x%04x", port.capabilityFlags2());
        line("\t\t\tmax_vl_num:\t\t%s (%d)", CodeTexts.virtualLanes(port.maxVirtualLanes()), port.maxVirtualLanes());
        line("\t\t\tbad_pkey_cntr:\t\t0x%x", port.badPkeyCounter());
        line("\t\t\tqkey_viol_cntr:\t\t0x%x", port.qkeyViolationCounter());
        line("\t\t\tsm_sl:\t\t\t%d", port.subnetManagerServiceLevel());
        line("\t\t\tpkey_tbl_len:\t\t%d", port.pkeyTableLength());
        line("\t\t\tgid_tbl_len:\t\t%d", port.gidTableLength());
        line("\t\t\tsubnet_timeout:\t\t%d", port.subnetTimeout());
        line("\t\t\tinit_type_reply:\t%d", port.initTypeReply());
        line("\t\t\tactive_width:\t\t%sX (%d)", CodeTexts.width(port.activeWidth()), port.activeWidth());
        line("\t\t\tactive_speed:\t\t%s (%d)", CodeTexts.speed(port.activeSpeed()), port.activeSpeed());
        if (showPhysicalState) {
            line(
                    "\t\t\tphys_state:\t\t%s (%d)",
                    CodeTexts.physicalState(port.physicalState()), port.physicalState().value());
        }
    }

    private void printGid(GidEntry entry, LinkLayer layer) {
        if (entry.gid().interfaceId() == 0) {
            return;
        }
        boolean version2 = entry.type().equals(GidType.ROCE_V2);
        String type = layer.equals(LinkLayer.ETHERNET) ? version2 ? ", RoCE v2" : ", RoCE v1" : "";
        line("\t\t\tGID[%3d]:\t\t%s%s", entry.index(), version2 ? AddressText.of(entry.gid()) : entry.gid(), type);
    }

    private static String mtu(Mtu mtu) {
        return mtu.bytes() + " (" + mtu.value() + ")";
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void line(String format, Object... arguments) {
        out.printf(Locale.ROOT, format, arguments).print('\n');
    }
}

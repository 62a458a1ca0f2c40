// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.types.DeviceAttributes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// Prints a device line by line like `ibv_devinfo`, including tabs, so that outputs can be compared and parsers work
/// with both.
record DevinfoReport(PrintWriter out, boolean verbose) {
    private static final String FLAG = "\t\t\t\t\t%s";

    void print(DeviceFacts facts) {
        DeviceAttributes device = facts.attributes();
        line("hca_id:\t%s", facts.name());
        line("\ttransport:\t\t\t%s", CodeTexts.transport(facts.nodeType()));
        line("\tfw_ver:\t\t\t\t%s", CodeTexts.firmware(device.firmwareVersion()));
        line("\tnode_guid:\t\t\t%s", CodeTexts.guid(device.nodeGuid()));
        line("\tsys_image_guid:\t\t\t%s", CodeTexts.guid(device.systemImageGuid()));
        line("\tvendor_id:\t\t\t0x%04x", device.vendorId());
        line("\tvendor_part_id:\t\t\t%d", device.vendorPartId());
        line("\thw_ver:\t\t\t\t0x%X", device.hardwareVersion());
        if (facts.boardId() != null) {
            line("\tboard_id:\t\t\t%s", facts.boardId());
        }
        line("\tphys_port_cnt:\t\t\t%d", device.ports());
        if (verbose) {
            printLimits(device);
            printExtended(device, facts.completionVectors());
        }
        var ports = new PortReport(out, verbose, CodeTexts.transport(facts.nodeType()).startsWith("InfiniBand"));
        facts.ports().forEach(ports::print);
    }

    private void printLimits(DeviceAttributes device) {
        line("\tmax_mr_size:\t\t\t0x%x", device.maxMemoryRegionSize());
        line("\tpage_size_cap:\t\t\t0x%x", device.pageSizeCapabilities());
        line("\tmax_qp:\t\t\t\t%d", device.maxQueuePairs());
        line("\tmax_qp_wr:\t\t\t%d", device.maxQueuePairWorkRequests());
        line("\tdevice_cap_flags:\t\t0x%08x", (int) device.capabilityFlags());
        flags(Flags.DEVICE.of(device.capabilityFlags() & 0xffff_ffffL));
        line("\tmax_sge:\t\t\t%d", device.maxScatterGather());
        line("\tmax_sge_rd:\t\t\t%d", device.maxScatterGatherRead());
        line("\tmax_cq:\t\t\t\t%d", device.maxCompletionQueues());
        line("\tmax_cqe:\t\t\t%d", device.maxCompletionQueueEntries());
        line("\tmax_mr:\t\t\t\t%d", device.maxMemoryRegions());
        line("\tmax_pd:\t\t\t\t%d", device.maxProtectionDomains());
        line("\tmax_qp_rd_atom:\t\t\t%d", device.maxQueuePairReadAtomic());
        line("\tmax_ee_rd_atom:\t\t\t%d", device.maxEndToEndReadAtomic());
        line("\tmax_res_rd_atom:\t\t%d", device.maxResponderResources());
        line("\tmax_qp_init_rd_atom:\t\t%d", device.maxQueuePairInitReadAtomic());
        line("\tmax_ee_init_rd_atom:\t\t%d", device.maxEndToEndInitReadAtomic());
        line(
                "\tatomic_cap:\t\t\t%s (%d)",
                CodeTexts.atomicCapability(device.atomicCapability()), device.atomicCapability());
        line("\tmax_ee:\t\t\t\t%d", device.maxEndToEndContexts());
        line("\tmax_rdd:\t\t\t%d", device.maxReliableDatagramDomains());
        line("\tmax_mw:\t\t\t\t%d", device.maxMemoryWindows());
        line("\tmax_raw_ipv6_qp:\t\t%d", device.maxRawIpv6QueuePairs());
        line("\tmax_raw_ethy_qp:\t\t%d", device.maxRawEthernetQueuePairs());
        line("\tmax_mcast_grp:\t\t\t%d", device.maxMulticastGroups());
        line("\tmax_mcast_qp_attach:\t\t%d", device.maxMulticastQueuePairs());
        line("\tmax_total_mcast_qp_attach:\t%d", device.maxTotalMulticastQueuePairs());
        line("\tmax_ah:\t\t\t\t%d", device.maxAddressHandles());
        line("\tmax_fmr:\t\t\t%d", device.maxFastMemoryRegions());
        if (device.maxFastMemoryRegions() != 0) {
            line("\tmax_map_per_fmr:\t\t%d", device.maxMapPerFastMemoryRegion());
        }
        line("\tmax_srq:\t\t\t%d", device.maxSharedReceiveQueues());
        if (device.maxSharedReceiveQueues() != 0) {
            line("\tmax_srq_wr:\t\t\t%d", device.maxSharedReceiveQueueWorkRequests());
            line("\tmax_srq_sge:\t\t\t%d", device.maxSharedReceiveQueueScatterGather());
        }
        line("\tmax_pkeys:\t\t\t%d", device.maxPkeys());
        line("\tlocal_ca_ack_delay:\t\t%d", device.localAckDelay());
    }

    private void printExtended(DeviceAttributes device, int completionVectors) {
        DeviceAttributes.Extended more = device.extended();
        line("\tgeneral_odp_caps:");
        flags(Flags.ODP.of(more.odpGeneral()));
        printOdp("rc", more.odpRc());
        printOdp("uc", more.odpUc());
        printOdp("ud", more.odpUd());
        printOdp("xrc", more.odpXrc());
        if (more.completionTimestampMask() != 0) {
            line("\tcompletion timestamp_mask:\t\t\t0x%016x", more.completionTimestampMask());
        } else {
            line("\tcompletion_timestamp_mask not supported");
        }
        if (more.coreClockKilohertz() != 0) {
            line("\thca_core_clock:\t\t\t%dkHZ", more.coreClockKilohertz());
        } else {
            line("\tcore clock not supported");
        }
        if (more.rawPacketCapabilities() != 0) {
            line("\traw packet caps:");
            flags(Flags.RAW_PACKET.of(more.rawPacketCapabilities()));
        }
        line("\tdevice_cap_flags_ex:\t\t0x%X", device.capabilityFlags());
        flags(Flags.deviceExtended(device.capabilityFlags()));
        printDriverCapabilities(more);
        printCompletionModeration(more);
        if (more.maxDeviceMemory() != 0) {
            line("\tmaximum available device memory:\t%dBytes\n", more.maxDeviceMemory());
        }
        line("\tnum_comp_vectors:\t\t%d", completionVectors);
    }

    private void printOdp(String transport, int capabilities) {
        line("\t%s_odp_caps:", transport);
        flags(capabilities == 0 ? List.of("NO SUPPORT") : Flags.ODP_TRANSPORT.of(capabilities & 0xffff_ffffL));
    }

    /// Prints capabilities from the hardware drivers' own part of the answer, which rxe lacks.
    private void printDriverCapabilities(DeviceAttributes.Extended more) {
        line("\ttso_caps:");
        line("\t\tmax_tso:\t\t\t0");
        line("\trss_caps:");
        line("\t\tmax_rwq_indirection_tables:\t\t\t0");
        line("\t\tmax_rwq_indirection_table_size:\t\t\t0");
        line("\t\trx_hash_function:\t\t\t\t0x0");
        line("\t\trx_hash_fields_mask:\t\t\t\t0x0");
        line("\tmax_wq_type_rq:\t\t\t%d", more.maxWorkQueues());
        line("\tpacket_pacing_caps:");
        line("\t\tqp_rate_limit_min:\t0kbps");
        line("\t\tqp_rate_limit_max:\t0kbps");
        if (more.maxTagMatchingRendezvousHeader() != 0) {
            line("\tmax_rndv_hdr_size:\t\t%d", more.maxTagMatchingRendezvousHeader());
        } else {
            line("\ttag matching not supported");
        }
    }

    private void printCompletionModeration(DeviceAttributes.Extended more) {
        if (more.maxCompletionModerationCount() != 0 && more.maxCompletionModerationMicroseconds() != 0) {
            line("\n\tcq moderation caps:");
            line("\t\tmax_cq_count:\t%d", more.maxCompletionModerationCount());
            line("\t\tmax_cq_period:\t%d us\n", more.maxCompletionModerationMicroseconds());
        }
    }

    private void flags(List<String> names) {
        names.forEach(name -> line(FLAG, name));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void line(String format, Object... arguments) {
        out.printf(Locale.ROOT, format, arguments).print('\n');
    }
}

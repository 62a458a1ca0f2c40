// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.mad.BitField;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.CmMessageType;
import io.verbs4j.roce.mad.Fields;
import io.verbs4j.roce.mad.IpHeader;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The connection manager's packets of C programs (`rstream`, `rping` over IPv6 and to a port without a listener,
/// `udaddy`) between two rxe devices of Linux 7.2, decoded by verbs4j and by tshark 4.0.17. `connections.tshark.txt`
/// contains the output of `tshark -T fields` for all non-empty fields of each packet, except `infiniband.mad.data`.
/// tshark does not support SIDR, MRA, LAP and APR.
class WiresharkFieldsTest {
    /// Wireshark's last word of a name, and the name here.
    private static final Map<String, String> NAMES = names(
            // the header of every MAD
            "baseversion base_version", "mgmtclass mgmt_class", "classversion class_version", "method method",
            "status status", "classspecific class_specific", "transactionid tid", "attributeid attr_id",
            "attributemodifier attr_mod",
            // messages
            "req local_comm_id", "rep local_comm_id", "localcommid local_comm_id", "remotecommid remote_comm_id",
            "serviceid service_id", "localcaguid local_ca_guid", "localqkey local_q_key", "localqpn local_qpn",
            "responderres responder_resources", "respres responder_resources", "initdepth initiator_depth",
            "remoteeecn remote_eecn", "remoteresptout remote_cm_response_timeout",
            "transpsvctype transport_service_type", "e2eflowctrl end_to_end_flow_control", "startpsn starting_psn",
            "localresptout local_cm_response_timeout", "retrcount retry_count", "pkey pkey",
            "pppmtu path_packet_payload_mtu", "rdcexist rdc_exists", "rnrretrcount rnr_retry_count",
            "maxcmretr max_cm_retries", "srq srq", "ext_transport extended_transport_type",
            "tgtackdelay target_ack_delay", "failoveracc failover_accepted", "msgrej message_rejected",
            "rejinfolen rejected_info_length", "reason reason", "ari ari", "remoteqpneecn remote_qpn_eecn",
            "private private_data", "ip_cm private_data",
            // paths of a request
            "locallid local_port_lid", "remotelid remote_port_lid", "localgid local_port_gid",
            "remotegid remote_port_gid", "localgid_ipv4 local_port_gid", "remotegid_ipv4 remote_port_gid",
            "flowlabel flow_label", "pktrate packet_rate", "tfcclass traffic_class", "hoplim hop_limit", "sl sl",
            "subnetlocal subnet_local", "localacktout local_ack_timeout");

    private final List<Mad> mads = new ArrayList<>();
    private final List<RoceFrame> frames = new ArrayList<>();

    WiresharkFieldsTest() throws IOException {
        try (
                var reader =
                        new PcapReader(WiresharkFieldsTest.class.getResourceAsStream("connections.pcap"), "packets")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                frames.add((RoceFrame) FrameDecoder.decode(frame));
                mads.add(Mad.in(frames.getLast().packet()).orElseThrow());
            }
        }
    }

    private static Map<String, String> names(String... pairs) {
        var all = new HashMap<String, String>();
        for (String pair : pairs) {
            String[] words = pair.split(" ", 2);
            all.put(words[0], words[1]);
        }
        return all;
    }

    @Test
    void allMessagesOfConnectionsAndServicesAreThere() {
        assertThat(mads.stream().map(Mad::toString))
                .containsExactly(
                        "CM REQ", "CM REP", "CM RTU", "CM DREQ", "CM DREP",
                        "CM REQ", "CM REP", "CM RTU", "CM DREQ", "CM DREP",
                        "CM REQ", "CM REJ", "CM SIDR_REQ", "CM SIDR_REP");
        assertThat(frames).allMatch(RoceFrame::isIntact);
    }

    @Test
    void everyFieldIsThatOfWireshark() throws IOException {
        int compared = 0;
        var seen = new HashMap<CmMessageType, Set<String>>();
        for (String line : lines()) {
            String[] words = line.split(" ", 3);
            Mad mad = mads.get(Integer.parseInt(words[0]) - 1);
            List<String> name = List.of(words[1].split("\\."));
            if (name.getLast().contains("reserved")) {
                continue;
            }
            boolean isHeader = name.get(1).equals("mad");
            String found;
            String expected = words[2];
            if (name.contains("ip_cm") && !name.getLast().equals("ip_cm")) {
                found = ofIpHeader(mad.message().orElseThrow(), name.getLast());
                expected = name.getLast().equals("private") ? expected : plain(expected);
            } else if (name.contains("serviceid") && !name.getLast().equals("serviceid")) {
                found = ofService(mad.message().orElseThrow(), name.getLast());
                expected = plain(expected);
            } else if (name.getLast().endsWith("_flowlabel") || name.getLast().endsWith("_pktrate")) {
                found = asWiresharkReads(mad.message().orElseThrow(), name);
                expected = plain(expected);
                seen.computeIfAbsent(CmMessageType.REQ, _ -> new HashSet<>()).add(ours(name));
            } else {
                Fields fields = isHeader ? mad.header() : mad.message().orElseThrow().fields();
                BitField field = fields.layout().field(ours(name));
                found = field.isNumber()
                        ? plain("0x" + Long.toHexString(fields.value(field)))
                        : HexFormat.of().formatHex(fields.bytes(field.name()));
                expected = field.isNumber() ? plain(expected) : bytes(expected);
                if (!isHeader) {
                    seen.computeIfAbsent(mad.message().orElseThrow().type(), _ -> new HashSet<>()).add(field.name());
                }
            }
            assertThat(found).as(line).isEqualTo(expected);
            compared++;
        }
        assertThat(compared).isGreaterThan(300);
        // What Wireshark says nothing of was reserved when its dissector was written; the other messages it does not
        // know.
        for (CmMessageType type : seen.keySet()) {
            Set<String> unseen = type.layout()
                    .fields()
                    .stream()
                    .filter(field -> !field.isReserved())
                    .map(BitField::name)
                    .filter(field -> !seen.get(type).contains(field))
                    .collect(Collectors.toSet());
            assertThat(unseen).as(type.toString())
                    .isSubsetOf("vendor_id", "sap_supported", "vendor_id_h", "vendor_id_m",
                            "vendor_id_l");
        }
        assertThat(seen.keySet()).containsExactlyInAnyOrder(CmMessageType.REQ, CmMessageType.REP, CmMessageType.RTU,
                CmMessageType.REJ, CmMessageType.DREQ, CmMessageType.DREP);
    }

    /// Flow label and rate share four bytes, 20 bits, 6 reserved ones and 6. Wireshark reads the flow label from the
    /// first three of these bytes only, and the rate from the first.
    private static String asWiresharkReads(CmMessage message, List<String> name) {
        String prefix = name.getLast().startsWith("prim_") ? "primary_" : "alternate_";
        int label = message.fields().number(prefix + "flow_label");
        assertThat(message.fields().number(prefix + "packet_rate")).isBetween(0, 63);
        return Integer.toString(name.getLast().endsWith("_flowlabel") ? label >>> 8 : (label >>> 12) & 0x3f);
    }

    private static List<String> lines() throws IOException {
        try (var input = WiresharkFieldsTest.class.getResourceAsStream("connections.tshark.txt")) {
            return new String(input.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }

    private static String ours(List<String> name) {
        String last = name.getLast();
        if (last.equals("localeecn")) {
            return name.contains("rep") ? "local_ee_context_number" : "local_eecn";
        }
        String prefix = last.startsWith("prim_") ? "primary_" : last.startsWith("alt_") ? "alternate_" : "";
        String word = prefix.isEmpty() ? last : last.substring(last.indexOf('_') + 1);
        assertThat(NAMES).as("names of Wireshark's that are known here").containsKey(word);
        return prefix + NAMES.get(word);
    }

    private static String ofIpHeader(CmMessage message, String name) {
        IpHeader header = message.ipHeader().orElseThrow();
        return switch (name) {
            case "majv", "minv" -> "0";
            case "ipv" -> header.source().getAddress().length == 4 ? "4" : "6";
            case "sport" -> Integer.toString(header.sourcePort());
            case "sip4", "sip6" -> plain(header.source().getHostAddress());
            case "dip4", "dip6" -> plain(header.destination().getHostAddress());
            case "private" -> HexFormat.of().formatHex(message.privateData());
            default -> throw new AssertionError(name);
        };
    }

    private static String ofService(CmMessage message, String name) {
        return switch (name) {
            case "prefix" -> "1";
            case "protocol" -> Integer.toString(message.portSpace().orElseThrow().value() & 0xff);
            case "dport" -> Integer.toString(message.port().orElseThrow());
            default -> throw new AssertionError(name);
        };
    }

    /// One notation of a number or an address.
    private static String plain(String text) {
        if (text.contains(":") || text.chars().filter(each -> each == '.').count() == 3) {
            try {
                return InetAddress.getByName(text).getHostAddress();
            } catch (UnknownHostException e) {
                throw new AssertionError(text, e);
            }
        }
        return (text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text)).toString();
    }

    /// Bytes in hexadecimal, of a GID too.
    private static String bytes(String text) {
        if (!text.contains(":") && !text.contains(".")) {
            return text;
        }
        try {
            return HexFormat.of().formatHex(Gid.of(InetAddress.getByName(text)).toBytes());
        } catch (UnknownHostException e) {
            throw new AssertionError(text, e);
        }
    }

    /// Wireshark takes these for data that it does not know.
    @Test
    void datagramServicesAnswerWithQueuePairAndKey() {
        CmMessage request = mads.get(12).message().orElseThrow();
        CmMessage answer = mads.get(13).message().orElseThrow();

        assertThat(request.portSpace()).contains(PortSpace.UDP);
        assertThat(request.port()).hasValue(7174);
        assertThat(request.ipHeader().orElseThrow().destination().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(request.fields().value("pkey")).isEqualTo(0xffff);
        assertThat(answer.remoteId()).isEqualTo(request.localId());
        assertThat(answer.serviceId()).isEqualTo(request.serviceId());
        assertThat(answer.fields().value("status")).isZero();
        assertThat(answer.fields().value("q_key")).isEqualTo(0x0123_4567);
        assertThat(answer.queuePairNumber().orElseThrow()).isGreaterThan(1);
    }

    /// The private data of `rstream -S 64 -C 1 -i 0`: version 1, flags 2, 384 credits, then a table of two entries and
    /// a buffer of 64 KiB.
    @Test
    void privateDataOfStreamsAreThoseOfTheirProtocol() {
        for (int i = 0; i < 2; i++) {
            byte[] data = mads.get(i).message().orElseThrow().privateData();

            assertThat(HexFormat.of().formatHex(data, 0, 8)).isEqualTo("0102018000000000");
            assertThat(HexFormat.of().formatHex(data, 20, 24)).isEqualTo("00000002");
            assertThat(data).hasSize(i == 0 ? 56 : 196);
        }
    }

    @Test
    void linesNameMessageServiceAndReason() {
        List<String> lines =
                frames.stream().map(frame -> PacketLine.format(frame, 0, PacketLine.Detail.SHORT)).toList();

        assertThat(lines.getFirst())
                .contains("10.9.0.1 → 10.9.0.2  UD Send Only             QPN 0x000001",
                        "from QPN 0x000001  Q_Key 0x80010000  CM REQ  id 0x902bf153"
                                + "  TCP port 7471 of 10.9.0.2 from 10.9.0.1 port 7471  QPN 0x000011  PSN 0xc085fe"
                                + "  data 0102018000000000");
        assertThat(lines.get(2)).contains("  CM RTU  id 0x902bf153 to id 0x").endsWith("  256 bytes");
        assertThat(lines.get(5)).contains("  TCP port 7174 of fd00:9::2 from fd00:9::1 port 54352");
        assertThat(lines.get(11))
                .contains("  CM REJ  id 0x00000000 to id 0x972bf153  rejects REQ, reason 8 (the peer has no listener");
        assertThat(lines.get(13)).contains("  CM SIDR_REP  to id 0x", "  UDP port 7174  QPN 0x", "  Q_Key 0x01234567");
    }

    @Test
    void jsonHasEveryField() {
        Map<String, Object> fields = PacketFields.of(frames.getFirst());

        assertThat(fields.get("management")).asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("message", CmMessageType.REQ)
                .containsEntry("localQpn", 0x11L)
                .containsEntry("primaryRemotePortGid",
                        Gid.of(new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 9, 0, 2}))
                .containsEntry("destinationAddress", "10.9.0.2")
                .containsEntry("retryCount", 7L);
    }

    @Test
    void messagesAreFoundByTheirNames() {
        var requests = new PacketFilter(List.of(), List.of("cm req"));

        assertThat(frames.stream().filter(frame -> requests.wants(frame.packet()))).hasSize(3);
        assertThat(frames.stream().filter(frame -> new PacketFilter(List.of(), List.of("CM ")).wants(frame.packet())))
                .hasSize(14);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Compares messages with bytes written by hand from the specification's tables. Tests of the tools compare the decoded
/// messages with Wireshark's.
class CmMessageTest {
    private static final String IDS = "11111111 22222222";

    /// Returns a message that starts with the given bytes; the rest is zero.
    private static CmMessage message(CmMessageType type, String hex) {
        String header =
                "01 07 02 03 0000 0000 00000001 00000002 " + "%04x".formatted(type.attributeId()) + " 0000 00000000";
        byte[] bytes = HexFormat.of().parseHex((header + hex).replace(" ", ""));
        Mad mad = Mad.parse(Arrays.copyOf(bytes, Mad.BYTES)).orElseThrow();
        assertThat(mad.header().value("tid")).isEqualTo(0x1_0000_0002L);
        CmMessage message = mad.message().orElseThrow();
        assertThat(message.type()).isEqualTo(type);
        assertThat(Mad.of(message, 0x1_0000_0002L)).isEqualTo(mad);
        return message;
    }

    @Test
    void moreTimeIsAskedForWithMessageAndTimeout() {
        CmMessage message = message(CmMessageType.MRA, IDS + "80 a8 cafe");

        assertThat(message.localId()).hasValue(0x1111_1111L);
        assertThat(message.remoteId()).hasValue(0x2222_2222L);
        assertThat(message.fields().number("message_mraed")).isEqualTo(2);
        assertThat(message.fields().number("service_timeout")).isEqualTo(21);
        assertThat(message.privateData()).hasSize(222).startsWith(0xca, 0xfe);
    }

    @Test
    void rejectionHasReasonAndAdditionalInformation() {
        CmMessage message = message(CmMessageType.REJ, IDS + "40 0c 001c 0102030405 06" + "00".repeat(66) + "6e6f");

        assertThat(message.fields().number("message_rejected")).isEqualTo(1);
        assertThat(message.fields().number("rejected_info_length")).isEqualTo(6);
        assertThat(message.fields().number("reason")).isEqualTo(28);
        assertThat(message.fields().bytes("ari")).hasSize(72).startsWith(1, 2, 3, 4, 5, 6);
        assertThat(message.privateData()).hasSize(148).startsWith('n', 'o');
    }

    @Test
    void alternatePathIsLoadedAndAnswered() {
        CmMessage load = message(CmMessageType.LAP, IDS + "00000000 000011 98 00000000 0001 0002"
                + "fe80000000000000 0000000000000001 fe80000000000000 0000000000000002 12345 0 67 40 02 38 88 cafe");
        CmMessage answer = message(CmMessageType.APR, IDS + "02 05 0000 0102" + "00".repeat(70) + "cafe");

        assertThat(load.queuePairNumber()).hasValue(0x11);
        assertThat(load.fields().number("remote_cm_response_timeout")).isEqualTo(19);
        assertThat(load.fields().number("alternate_remote_port_lid")).isEqualTo(2);
        assertThat(load.fields().gid("alternate_local_port_gid")).isEqualTo(new Gid(0xfe80_0000_0000_0000L, 1));
        assertThat(load.fields().gid("alternate_remote_port_gid")).isEqualTo(new Gid(0xfe80_0000_0000_0000L, 2));
        assertThat(load.fields().number("alternate_flow_label")).isEqualTo(0x12345);
        assertThat(load.fields().number("alternate_traffic_class")).isEqualTo(0x67);
        assertThat(load.fields().number("alternate_hop_limit")).isEqualTo(64);
        assertThat(load.fields().number("alternate_packet_rate")).isEqualTo(2);
        assertThat(load.fields().number("alternate_sl")).isEqualTo(3);
        assertThat(load.fields().number("alternate_subnet_local")).isEqualTo(1);
        assertThat(load.fields().number("alternate_local_ack_timeout")).isEqualTo(17);
        assertThat(load.privateData()).hasSize(168).startsWith(0xca, 0xfe);
        assertThat(answer.fields().number("additional_information_length")).isEqualTo(2);
        assertThat(answer.fields().number("ar_status")).isEqualTo(5);
        assertThat(answer.fields().bytes("additional_information")).hasSize(72).startsWith(1, 2);
        assertThat(answer.privateData()).hasSize(148).startsWith(0xca, 0xfe);
    }

    @Test
    void serviceIsAskedForByAddressAndAnsweredByQueuePair() {
        CmMessage request = message(CmMessageType.SIDR_REQ, "33333333 ffff 0000 0000000001111c06"
                + "00 40 cafe 000000000000000000000000 0a090001 000000000000000000000000 0a090002 4869");
        CmMessage answer = message(CmMessageType.SIDR_REP, "33333333 01 02 abcd 000012 ef 0000000001111c06 01234567"
                + "0506" + "00".repeat(70) + "6279");

        assertThat(request.localId()).hasValue(0x3333_3333L);
        assertThat(request.remoteId()).isEmpty();
        assertThat(request.portSpace()).contains(PortSpace.UDP);
        assertThat(request.port()).hasValue(7174);
        IpHeader header = request.ipHeader().orElseThrow();
        assertThat(header.sourcePort()).isEqualTo(0xcafe);
        assertThat(header.source().getHostAddress()).isEqualTo("10.9.0.1");
        assertThat(header.destination().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(request.privateData()).hasSize(180).startsWith('H', 'i');
        assertThat(answer.localId()).isEmpty();
        assertThat(answer.remoteId()).hasValue(0x3333_3333L);
        assertThat(answer.fields().number("status")).isEqualTo(1);
        assertThat(answer.fields().number("additional_information_length")).isEqualTo(2);
        assertThat(answer.fields().number("vendor_id_h") << 8 | answer.fields().number("vendor_id_l"))
                .isEqualTo(0xabcdef);
        assertThat(answer.queuePairNumber()).hasValue(0x12);
        assertThat(answer.fields().value("q_key")).isEqualTo(0x0123_4567);
        assertThat(answer.fields().bytes("additional_information")).startsWith(5, 6);
        assertThat(answer.privateData()).hasSize(136).startsWith('b', 'y');
        assertThat(answer.ipHeader()).isEmpty();
    }

    @Test
    void requestOfAnInfinibandServiceHasNoAddresses() {
        CmMessage message = message(CmMessageType.SIDR_REQ, "33333333 ffff 0000 00000000013f0001 0040cafe");

        assertThat(message.portSpace()).isEmpty();
        assertThat(message.port()).isEmpty();
        assertThat(message.ipHeader()).isEmpty();
        assertThat(message.privateData()).hasSize(216);
        assertThat(message(CmMessageType.SIDR_REQ, "33333333 ffff 0000 0000000101111c06").portSpace())
                .as("bits above the port space")
                .isEmpty();
    }

    @Test
    void enhancedConnectionEstablishmentIsInBytesThatWereReserved() {
        assertThat(message(CmMessageType.REQ, "11111111 00 abcdef").fields().number("vendor_id")).isEqualTo(0xabcdef);
        CmMessage answer = message(CmMessageType.REP, IDS + "00000000 000011 ab 000000 cd 123456 ef");
        assertThat(answer.fields().number("vendor_id_h")).isEqualTo(0xab);
        assertThat(answer.fields().number("vendor_id_m")).isEqualTo(0xcd);
        assertThat(answer.fields().number("vendor_id_l")).isEqualTo(0xef);
        assertThat(answer.fields().number("starting_psn")).isEqualTo(0x123456);
    }

    @Test
    void fieldsRefuseWhatIsNotTheirs() {
        Fields.Builder builder = CmMessage.fieldsOf(CmMessageType.REQ);

        assertThatThrownBy(() -> builder.set("local_qpn", 1 << 24))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("does not fit 24 bits: local_qpn=16777216");
        assertThatThrownBy(() -> builder.set("private_data", new byte[93])).hasMessageContaining("length=93");
        assertThatThrownBy(() -> builder.set("nonsense", 1)).hasMessage("no such field: name=nonsense");
        assertThatThrownBy(() -> builder.build().number("local_comm_id")).hasMessageContaining("does not fit an int");
        assertThatThrownBy(() -> builder.build().value("private_data")).hasMessageContaining("is not a number");
        assertThatThrownBy(() -> builder.build().bytes("retry_count")).hasMessageContaining("not of whole bytes");
        assertThatThrownBy(() -> new CmMessage(CmMessageType.REP, builder.build()))
                .hasMessage("fields of another message: type=REP");
    }
}

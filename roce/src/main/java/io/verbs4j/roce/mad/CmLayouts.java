// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

/// The connection manager's messages, field by field (IBA vol. 1, chapter 12, tables 106 to 120). The fields of
/// enhanced connection establishment, which the tables call reserved, are those of include/rdma/ibta_vol1_c12.h.
/// Private data come last.
final class CmLayouts {
    /// Bytes of a message after the header of the MAD.
    static final int BYTES = 232;

    static final String LOCAL_ID = "local_comm_id";
    static final String REMOTE_ID = "remote_comm_id";
    static final String REQUEST_ID = "request_id";
    static final String SERVICE_ID = "service_id";
    static final String PRIVATE_DATA = "private_data";

    private static final String OWN_ID = "the sender's number of the connection";
    private static final String PEERS_ID = "the receiver's number of the connection";
    private static final String TIME = "4.096 µs × 2^n";

    static final BitLayout REQ = paths(new BitLayout.Builder()
            .field(LOCAL_ID, 32, OWN_ID)
            .reserved(8)
            .field("vendor_id", 24, "vendor that defines the enhancements of this connection (ECE); 0 if there are"
                    + " none")
            .field(SERVICE_ID, 64, "requested service: for IP addresses, port space and port")
            .field("local_ca_guid", 64, "the sender's device")
            .reserved(32)
            .field("local_q_key", 32)
            .field("local_qpn", 24, "the sender's queue pair")
            .field("responder_resources", 8, "outstanding reads and atomics that the sender accepts")
            .field("local_eecn", 24)
            .field("initiator_depth", 8, "outstanding reads and atomics of the sender")
            .field("remote_eecn", 24)
            .field("remote_cm_response_timeout", 5, "the receiver's response timeout: " + TIME)
            .field("transport_service_type", 2, "0 RC, 1 UC, 2 RD, 3 see extended_transport_type")
            .field("end_to_end_flow_control", 1)
            .field("starting_psn", 24, "first PSN that the receiver sends")
            .field("local_cm_response_timeout", 5, "the sender's response timeout: " + TIME)
            .field("retry_count", 3, "retries of a packet without an acknowledgement")
            .field("pkey", 16, "partition key")
            .field("path_packet_payload_mtu", 4, "1 is 256 bytes, 5 is 4096")
            .field("rdc_exists", 1)
            .field("rnr_retry_count", 3, "retries of a packet without a posted receive; 7: indefinitely")
            .field("max_cm_retries", 4, "retries of this message")
            .field("srq", 1, "whether the sender's queue pair has a shared receive queue")
            .field("extended_transport_type", 3, "1 XRC"))
            .field(PRIVATE_DATA, 92 * 8, "for IP addresses, the IP header first")
            .of(BYTES);

    static final BitLayout MRA = both()
            .field("message_mraed", 2, "0 REQ, 1 REP, 2 LAP")
            .reserved(6)
            .field("service_timeout", 5, "additional time: " + TIME)
            .reserved(3)
            .field(PRIVATE_DATA, 222 * 8)
            .of(BYTES);

    static final BitLayout REJ = both()
            .field("message_rejected", 2, "0 REQ, 1 REP, 2 none: no response arrived")
            .reserved(6)
            .field("rejected_info_length", 7, "valid bytes of ari")
            .reserved(1)
            .field("reason", 16)
            .field("ari", 72 * 8, "additional information about the reason")
            .field(PRIVATE_DATA, 148 * 8)
            .of(BYTES);

    static final BitLayout REP = both()
            .field("local_q_key", 32)
            .field("local_qpn", 24, "the sender's queue pair")
            .field("vendor_id_h", 8)
            .field("local_ee_context_number", 24)
            .field("vendor_id_m", 8)
            .field("starting_psn", 24, "first PSN that the receiver sends")
            .field("vendor_id_l", 8)
            .field("responder_resources", 8, "outstanding reads and atomics that the sender accepts")
            .field("initiator_depth", 8, "outstanding reads and atomics of the sender")
            .field("target_ack_delay", 5, "the sender's acknowledgement delay: " + TIME)
            .field("failover_accepted", 2, "0 yes, 1 not supported, 2 refused")
            .field("end_to_end_flow_control", 1)
            .field("rnr_retry_count", 3, "retries of a packet without a posted receive; 7: indefinitely")
            .field("srq", 1, "whether the sender's queue pair has a shared receive queue")
            .reserved(4)
            .field("local_ca_guid", 64, "the sender's device")
            .field(PRIVATE_DATA, 196 * 8)
            .of(BYTES);

    static final BitLayout RTU = both().field(PRIVATE_DATA, 224 * 8).of(BYTES);

    static final BitLayout DREQ = both()
            .field("remote_qpn_eecn", 24, "the receiver's queue pair")
            .reserved(8)
            .field(PRIVATE_DATA, 220 * 8)
            .of(BYTES);

    static final BitLayout DREP = both().field(PRIVATE_DATA, 224 * 8).of(BYTES);

    static final BitLayout LAP = lap();

    static final BitLayout APR = both()
            .field("additional_information_length", 8, "valid bytes of additional_information")
            .field("ar_status", 8, "0: the path is loaded")
            .reserved(16)
            .field("additional_information", 72 * 8)
            .field(PRIVATE_DATA, 148 * 8)
            .of(BYTES);

    static final BitLayout SIDR_REQ = new BitLayout.Builder()
            .field(REQUEST_ID, 32, "the sender's number of the request")
            .field("pkey", 16, "partition key")
            .reserved(16)
            .field(SERVICE_ID, 64, "requested service: for IP addresses, port space and port")
            .field(PRIVATE_DATA, 216 * 8, "for IP addresses, the IP header first")
            .of(BYTES);

    static final BitLayout SIDR_REP = new BitLayout.Builder()
            .field(REQUEST_ID, 32, "the receiver's number of the request")
            .field("status", 8)
            .field("additional_information_length", 8, "valid bytes of additional_information")
            .field("vendor_id_h", 16)
            .field("qpn", 24, "destination queue pair of datagrams")
            .field("vendor_id_l", 8)
            .field(SERVICE_ID, 64)
            .field("q_key", 32, "Q_Key of datagrams")
            .field("additional_information", 72 * 8)
            .field(PRIVATE_DATA, 136 * 8)
            .of(BYTES);

    private CmLayouts() {}

    private static BitLayout.Builder both() {
        return new BitLayout.Builder().field(LOCAL_ID, 32, OWN_ID).field(REMOTE_ID, 32, PEERS_ID);
    }

    /// Adds the primary and the alternate path of a request.
    private static BitLayout.Builder paths(BitLayout.Builder layout) {
        path(layout, "primary_");
        layout.reserved(3);
        path(layout, "alternate_");
        return layout.field("sap_supported", 1).reserved(2);
    }

    /// Adds a path, up to its timeout of five bits.
    private static void path(BitLayout.Builder layout, String which) {
        ends(layout, which)
                .field(which + "flow_label", 20)
                .reserved(6)
                .field(which + "packet_rate", 6)
                .field(which + "traffic_class", 8)
                .field(which + "hop_limit", 8);
        level(layout, which);
    }

    private static BitLayout.Builder ends(BitLayout.Builder layout, String which) {
        return layout.field(which + "local_port_lid", 16, "0xffff on RoCE")
                .field(which + "remote_port_lid", 16, "0xffff on RoCE")
                .field(which + "local_port_gid", 128, "the sender's")
                .field(which + "remote_port_gid", 128, "the receiver's");
    }

    private static BitLayout.Builder level(BitLayout.Builder layout, String which) {
        return layout.field(which + "sl", 4, "service level")
                .field(which + "subnet_local", 1)
                .reserved(3)
                .field(which + "local_ack_timeout", 5, TIME);
    }

    private static BitLayout lap() {
        var layout = both()
                .reserved(32)
                .field("remote_qpn_eecn", 24, "the receiver's queue pair")
                .field("remote_cm_response_timeout", 5, "the receiver's response timeout: " + TIME)
                .reserved(3)
                .reserved(32);
        ends(layout, "alternate_")
                .field("alternate_flow_label", 20)
                .reserved(4)
                .field("alternate_traffic_class", 8)
                .field("alternate_hop_limit", 8)
                .reserved(2)
                .field("alternate_packet_rate", 6);
        return level(layout, "alternate_").reserved(3).field(PRIVATE_DATA, 168 * 8).of(BYTES);
    }
}
